use super::*;
use crate::data::{Exclusions, Purpose, load_for};
use medsift::article::Section;
use medsift::{Article, ArticleId};

const LONG: &str = "Statin users had a lower risk of death from breast cancer than patients who \
    took none in this large cohort.";

fn collection(folder: &Folder) -> String {
    folder.write(
        "held/corpus.jsonl",
        format!(
            "{{\"_id\": \"d1\", \"title\": \"Statins and cancer\", \"text\": \"We asked. {LONG} Good.\", \
             \"metadata\": {{\"url\": \"http://www.ncbi.nlm.nih.gov/pubmed/25329299\"}}}}\n\
             {{\"_id\": \"4983\", \"title\": \"White matter\", \"text\": \"Newborns.\"}}\n"
        ),
    );
    folder.write(
        "held/queries.jsonl",
        "{\"_id\": \"q1\", \"text\": \"statins for breast cancer\"}\n",
    );
    folder.path("held").to_string_lossy().into_owned()
}

#[test]
fn pairs_of_a_held_out_split_are_left_out_in_either_order() {
    let folder = Folder::new();
    let rows =
        "sentence1\tsentence2\tscore\nA plane.\tA jet.\t4\nB\tA  PLANE\t2\nA jet\ta plane\t4\n";
    let mut spec = folder.spec(Format::Sts, "train.tsv", rows);
    spec.score_range = Some([0.0, 5.0]);
    let held = "premise\thypothesis\tlabel\na jet\tA plane!\tneutral\nx\ty\tneutral\n";
    spec.exclude = vec![folder.write("test.tsv", held)];
    let set = load(&spec).unwrap();
    // The single sentence stays: it is no example of the other set.
    assert_eq!(texts(&set), [["B", "A  PLANE"]]);
    assert_eq!(set.sources[0].skipped.excluded, 2);
}

#[test]
fn no_piece_of_a_held_out_collection_comes_in() {
    let folder = Folder::new();
    let rows = format!(
        "anchor\tpositive\n\
         statins for breast cancer\tAnything.\n\
         Fine\t{LONG}\n\
         Fine\tStatins and cancer We asked. {LONG} Good.\n\
         Fine\tWhite matter\n\
         Fine\tWe asked. Good.\n"
    );
    let mut spec = folder.spec(Format::Pairs, "train.tsv", rows);
    spec.exclude = vec![collection(&folder)];
    let set = load(&spec).unwrap();
    assert_eq!(texts(&set), [["Fine", "We asked. Good."]]);
    assert_eq!(set.sources[0].skipped.excluded, 4);
}

#[test]
fn articles_are_held_out_by_pmid_and_text() {
    let folder = Folder::new();
    let exclusions = Exclusions::read(&[collection(&folder)]).unwrap();
    let article = |id: &str, title: &str, text: &str| {
        let mut article = Article::new(ArticleId::new(id).unwrap());
        article.title = title.into();
        article.abstract_sections.push(Section {
            text: text.into(),
            ..Section::default()
        });
        article
    };
    assert!(exclusions.holds_article(&article("25329299", "Other", "Other.")));
    assert!(exclusions.holds_article(&article("1", "Statins and Cancer.", "Other.")));
    assert!(exclusions.holds_article(&article("1", "Other", LONG)));
    // Ids of the collection are no PMIDs, whatever they look like.
    assert!(!exclusions.holds_article(&article("4983", "Other", "Other.")));
    assert!(!Exclusions::default().holds_article(&article("25329299", "a", "b")));
}

#[test]
fn what_cannot_be_excluded_is_an_error() {
    let folder = Folder::new();
    let mut spec = folder.spec(Format::Pairs, "train.tsv", "anchor\tpositive\na\tb\n");
    spec.exclude = vec![folder.write("other.tsv", "left\tright\na\tb\n")];
    assert!(error(&spec).contains("left, right"), "{}", error(&spec));
    spec.exclude = vec![folder.write("other.jsonl", "{\"left\": 1}\n")];
    assert!(error(&spec).contains("line 1"), "{}", error(&spec));
}

#[test]
fn sets_for_measuring_are_refused_for_training_only() {
    let folder = Folder::new();
    let rows = "anchor\tpositive\na\tb\n";
    for name in ["nfcorpus/pairs.tsv", "scifact.tsv", "test.tsv"] {
        let spec = folder.spec(Format::Pairs, name, rows);
        assert!(load(&spec).is_err(), "{name}");
        assert!(load_for(&spec, Purpose::Evaluation).is_ok(), "{name}");
    }
    let line = "{\"_id\": \"MED-10\", \"title\": \"a\", \"text\": \"b\"}\n";
    let mut spec = folder.spec(Format::Pairs, "innocent.jsonl", line);
    spec.columns = Some(vec!["title".into(), "text".into()]);
    spec.faults = crate::data::Faults::Skip;
    assert!(error(&spec).contains("MED-10"), "{}", error(&spec));
}
