//! What does not fit is refused by name.

use super::*;
use crate::data::corpus::ArticleSource;
use crate::trainer::MaskedModel;
use medsift::article::{Article, ArticleId, Section};
use medsift::{Error, ErrorKind};

fn refused(keys: &str) -> String {
    let dir = folder();
    let config = config(dir.path(), "run", keys);
    run(&config).unwrap_err().to_string()
}

#[test]
fn settings_that_do_not_fit_are_named() {
    for (keys, words) in [
        ("objective = { kind = \"ranking\" }", "ranking"),
        ("objective = { mask = 0.2 }", "mask"),
        ("objective = { probability = 0.0 }", "probability"),
        ("objective = { relations = \"both\" }", "both"),
        (
            "evaluation = { sets = [{ name = \"x\", kind = \"mlm\" }] }",
            "files",
        ),
        (
            "evaluation = { sets = [{ name = \"x\", kind = \"mlm\", files = [\"no.txt\"] }] }",
            "no.txt",
        ),
        (
            "evaluation = { best = \"score/x/loss\", \
             sets = [{ name = \"x\", kind = \"mlm\", files = [\"no.txt\"] }] }",
            "smallest is best",
        ),
    ] {
        let error = refused(&format!("steps = 1\n{keys}"));
        assert!(error.contains("`text`") || error.contains(words), "{error}");
        assert!(error.contains(words), "{error}");
    }
    let dir = folder();
    let mut short = config(dir.path(), "run", "steps = 1");
    short.stages[0].max_tokens = Some(5);
    let error = run(&short).unwrap_err().to_string();
    assert!(error.contains("max_tokens"), "{error}");
}

#[test]
fn a_set_of_masked_text_needs_the_heads() {
    let dir = folder();
    let keys = "steps = 1\nevaluation = { sets = [{ name = \"x\", kind = \"mlm\", \
                files = [\"no.txt\"] }] }";
    let mut config = config(dir.path(), "run", keys);
    let stage = &mut config.stages[0];
    stage.kind = crate::config::StageKind::Sentence;
    stage.objective.insert("kind".to_owned(), "ranking".into());
    let pairs = dir.path().join("pairs.tsv");
    fs::write(&pairs, "anchor\tpositive\nmuscle pain\tthe receptor\n").unwrap();
    let mut data = toml::Table::new();
    data.insert("format".to_owned(), "pairs".into());
    data.insert("files".to_owned(), vec![pairs.display().to_string()].into());
    stage.data = vec![data];
    let error = run(&config).unwrap_err().to_string();
    assert!(error.contains("kind `mlm`"), "{error}");
}

#[test]
fn a_corpus_without_text_is_an_error() {
    let dir = folder();
    fs::write(dir.path().join("corpus.txt"), "\n\n").unwrap();
    for keys in ["steps = 1", "epochs = 1"] {
        let config = config(dir.path(), "run", keys);
        let options = RunOptions {
            overwrite: true,
            ..RunOptions::default()
        };
        let error = train(&config, &options, &Silent).unwrap_err().to_string();
        assert!(error.contains("no sequence"), "{error}");
    }
}

#[test]
fn a_model_without_the_head_cannot_be_measured() {
    let error = MaskedModel::open(&fixture("bert-mean")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(
        error
            .to_string()
            .contains("lacks the head of masked tokens"),
        "{error}"
    );
}

fn article(id: &str, title: &str) -> Article {
    let mut article = Article::new(ArticleId::new(id).unwrap());
    article.title = title.into();
    let section = |text: &str| Section {
        label: None,
        category: None,
        text: text.into(),
    };
    article.abstract_sections = vec![section("The receptor was measured. Cells had pain in it.")];
    article
}

fn with_articles(
    open: impl Fn(&Path) -> Result<Vec<Article>> + Send + Sync + 'static,
) -> RunOptions {
    RunOptions {
        articles: Some(ArticleSource::new(move |path| {
            Ok(Box::new(open(path)?.into_iter().map(Ok)))
        })),
        overwrite: true,
        ..RunOptions::default()
    }
}

#[test]
fn articles_are_read_by_whoever_starts_the_run() {
    let dir = folder();
    let file = dir.path().join("articles.xml");
    fs::write(&file, "for the source alone").unwrap();
    let mut config = config(dir.path(), "run", "steps = 2");
    let files = vec![toml::Value::String(file.display().to_string())];
    config.stages[0].data[0].insert("files".to_owned(), files.into());
    let options = with_articles(|path| {
        assert!(path.ends_with("articles.xml"));
        let title = |id: u32| article(&id.to_string(), "Effects of statins in patients");
        Ok((1..=9).map(title).collect())
    });
    let record = train(&config, &options, &Silent).unwrap();
    assert_eq!(record.data[0].path, file.display().to_string());
    let error = run(&TrainConfig {
        output: dir.path().join("other"),
        ..config.clone()
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("neither .jsonl nor .txt"), "{error}");
    let options = with_articles(|_| Ok(vec![article("MED-10", "Statins")]));
    let error = train(&config, &options, &Silent).unwrap_err().to_string();
    assert!(error.contains("NFCorpus"), "{error}");
    let options = with_articles(|_| Err(Error::new(ErrorKind::Corrupt, "cut short")));
    let error = train(&config, &options, &Silent).unwrap_err().to_string();
    assert!(error.contains("cut short"), "{error}");
}
