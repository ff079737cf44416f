//! Answers: SQuAD's scores of known predictions, the sets as they are read and
//! held apart.

use medsift::eval::{AnswerCounter, SquadFile};
use medsift_tests::real_data;
use medsift_training::config::{StageConfig, TrainConfig};
use medsift_training::data::Purpose;
use medsift_training::data::labelled::LabelledSpec;
use medsift_training::data::questions::{QuestionSet, QuestionSpec};
use std::collections::HashSet;
use std::path::Path;

/// What the official scorer says of the predictions, in percent, by the notes of
/// the set: the BERT paper has 86.2 and 92.2 for the first.
const KNOWN: [(&str, f64, f64); 2] = [
    (
        "reference-predictions-bert-ensemble-v1.1.json.gz",
        86.206,
        92.196,
    ),
    (
        "reference-predictions-logistic-regression-v1.1.json.gz",
        40.142,
        50.982,
    ),
];

/// Files in SQuAD's form with their questions, and those without an answer.
const COUNTS: [(&str, usize, usize); 8] = [
    ("squad/dev-v1.1.json.gz", 10570, 0),
    ("squad/dev-v2.0.json.gz", 11873, 5945),
    ("tydiqa_goldp_en/train.json.gz", 3696, 0),
    ("mlqa_en/dev.json.gz", 1148, 0),
    ("xquad_en/xquad.en.json.gz", 1190, 0),
    ("bioasq/bioasq-factoid-squad-train.json.gz", 2743, 0),
    ("covid_qa/covidqa-passages-train.json.gz", 1338, 0),
    ("covid_qa/covidqa-200423-fulltext.json.gz", 1380, 0),
];

fn stage(name: &str, data: &Path) -> StageConfig {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../config/train")
        .join(name);
    let config = TrainConfig::read(&path).unwrap();
    config.with_data_dir(Some(data.to_owned())).stages.remove(0)
}

fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn passages(set: &QuestionSet) -> HashSet<String> {
    set.questions
        .iter()
        .map(|one| letters(&one.passage))
        .collect()
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn known_predictions_have_their_known_scores() {
    let Some(data) = real_data("known_predictions_have_their_known_scores") else {
        return;
    };
    let folder = data.join("qa/squad");
    let file = SquadFile::read(&folder.join("dev-v1.1.json.gz")).unwrap();
    for (name, exact, f1) in KNOWN {
        let found = SquadFile::read_predictions(&folder.join(name)).unwrap();
        let mut counter = AnswerCounter::default();
        for (_, question) in file.questions() {
            let answer = found.get(&question.id).map(|text| (text.as_str(), 0.0));
            counter.add(&question.gold(), answer);
        }
        let scores = counter.scores(f32::NEG_INFINITY);
        assert_eq!(scores.questions, 10570);
        for (found, expected) in [(scores.exact, exact), (scores.f1, f1)] {
            assert!(
                (100.0 * found - expected).abs() < 5e-4,
                "{name}: {found} {expected}"
            );
        }
    }
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn sets_are_read_whole() {
    let Some(data) = real_data("sets_are_read_whole") else {
        return;
    };
    for (name, questions, silent) in COUNTS {
        let file = SquadFile::read(&data.join("qa").join(name)).unwrap();
        assert_eq!(file.questions().count(), questions, "{name}");
        let without = file.questions().filter(|(_, one)| one.gold().is_empty());
        assert_eq!(without.count(), silent, "{name}");
    }
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn no_passage_that_is_measured_is_learnt() {
    let Some(data) = real_data("no_passage_that_is_measured_is_learnt") else {
        return;
    };
    let stage = stage("answers.toml", &data);
    let mut learnt = HashSet::new();
    let mut questions = 0;
    for set in &stage.data {
        let spec: QuestionSpec = set.clone().try_into().unwrap();
        let set = spec.load(Purpose::Training).unwrap();
        questions += set.questions.len();
        learnt.extend(passages(&set));
        for one in set.questions.iter().filter(|one| one.answer.is_some()) {
            let answer = &one.passage[one.answer.clone().unwrap()];
            assert!(one.gold.iter().any(|gold| gold == answer), "{}", one.id);
        }
    }
    assert!(questions > 10_000, "{questions}");
    let mut measured = stage.evaluation.sets.clone();
    for set in &mut measured {
        set.retain(|key, _| key != "name" && key != "kind");
    }
    let test = |file: &str| {
        let path = data.join("qa").join(file).display().to_string();
        toml::Table::from_iter([("files".to_owned(), vec![path].into())])
    };
    measured.push(test("bioasq/bioasq-factoid-squad-test.json"));
    measured.push(test("covid_qa/covidqa-passages-test.json.gz"));
    // The parts that are for testing only.
    let mut parts = measured[0].clone();
    parts["split"]["parts"] = vec![8i64, 9].into();
    measured.push(parts);
    for set in measured {
        let spec: QuestionSpec = set.try_into().unwrap();
        let set = spec.load(Purpose::Evaluation).unwrap();
        let both = learnt.intersection(&passages(&set)).count();
        assert_eq!(both, 0, "{:?}", spec.files);
    }
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn no_question_of_pubmedqas_test_is_learnt() {
    let Some(data) = real_data("no_question_of_pubmedqas_test_is_learnt") else {
        return;
    };
    let stage = stage("verdict.toml", &data);
    let labels = ["yes", "no", "maybe"].map(str::to_owned);
    let load = |set: &toml::Table, purpose| {
        let mut set = set.clone();
        set.retain(|key, _| key != "name" && key != "kind");
        let spec: LabelledSpec = set.try_into().unwrap();
        spec.load(&labels, purpose).unwrap()
    };
    let learnt = load(&stage.data[0], Purpose::Training);
    let dev = load(&stage.evaluation.sets[0], Purpose::Evaluation);
    let mut test = stage.data[0].clone();
    test.remove("split");
    let ids = test.remove("exclude_ids").unwrap();
    test.insert("only_ids".to_owned(), ids);
    let test = load(&test, Purpose::Evaluation);
    assert_eq!(learnt.texts.len() + dev.texts.len(), 500);
    assert_eq!(test.texts.len(), 500);
    let texts = |set: &medsift_training::data::labelled::LabelledSet| -> HashSet<String> {
        set.texts.iter().map(|row| letters(&row.text)).collect()
    };
    assert!(texts(&learnt).is_disjoint(&texts(&test)));
    assert!(texts(&learnt).is_disjoint(&texts(&dev)));
    assert!(texts(&dev).is_disjoint(&texts(&test)));
    assert!(test.texts.iter().all(|row| row.pair.is_some()));
}
