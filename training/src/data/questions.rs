//! Questions about passages, for training and measuring.

use super::files::expand;
use super::guard::refuse_evaluation_set;
use super::lines::Lines;
use super::load::Purpose;
use super::random::{draw, generator};
use super::report::SourceFile;
use super::text_key::text_key;
use medsift::eval::SquadFile;
use medsift::eval::answers::{GoldAnswer, SquadArticle, SquadQuestion};
use medsift::{Error, ErrorKind, Result};
use rand::Rng;
use serde::Deserialize;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// One set of questions, as a configuration describes it. Keys that are not
/// known are refused.
///
/// ```toml
/// files = ["data/qa/squad/dev-v2.0.json.gz"]
/// split = { of = 10, parts = [0, 1, 2, 3, 4, 5, 6] }
/// exclude = ["data/qa/bioasq/bioasq-factoid-squad-test.json"]
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionSpec {
    /// Files in SQuAD's form, plain or gzip; `*` and `?` stand for any
    /// characters and for one in a file's name.
    pub files: Vec<String>,
    /// Which articles are taken; all where nothing is said.
    #[serde(default)]
    pub split: Option<Split>,
    /// Held-out files; questions whose passage, or themselves, have the same
    /// letters and digits as one of theirs are left out.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Questions that are asked once more of a passage of another article, which
    /// has no answer, as a share of the questions that have one.
    #[serde(default)]
    pub negatives: f64,
    /// At most so many questions, drawn with the seed, before those are added.
    #[serde(default)]
    pub limit: Option<usize>,
    /// Seed of the draws.
    #[serde(default)]
    pub seed: u64,
}

/// Parts of a set, by article: an article is in one part, whatever file it
/// comes from, by the digest of its title, or where it has none of its first
/// passage.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// Parts in all.
    pub of: u32,
    /// Those that are taken, from 0.
    pub parts: Vec<u32>,
}

/// A question and its passage.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageQuestion {
    /// As its file has it.
    pub id: String,
    /// The question.
    pub question: String,
    /// What it is asked of.
    pub passage: Arc<str>,
    /// Bytes of the answer that is learnt: the one that most annotators gave,
    /// of equals the first; nothing where there is none.
    pub answer: Option<Range<usize>>,
    /// All right answers.
    pub gold: Vec<String>,
    /// Its article.
    article: u128,
}

/// A loaded set.
#[derive(Debug, Clone)]
pub struct QuestionSet {
    /// The questions, in the order of the files.
    pub questions: Vec<PassageQuestion>,
    /// The files that they came from.
    pub sources: Vec<SourceFile>,
}

impl Split {
    /// Whether its parts are among those that there are.
    pub(super) fn check(&self) -> Result<()> {
        let Self { of, parts } = self;
        if parts.is_empty() || parts.iter().any(|part| part >= of) {
            return Err(Error::invalid(
                "split",
                format!("`split`: the parts {parts:?} are not among 0 to {of}, without {of}"),
            ));
        }
        Ok(())
    }

    /// Whether a part is taken that holds what has this fingerprint.
    pub(super) fn takes(&self, article: u128) -> bool {
        self.parts
            .contains(&((article % u128::from(self.of)) as u32))
    }
}

impl QuestionSpec {
    /// Reads the set.
    ///
    /// # Errors
    /// When a file cannot be read or has a fault (the question is named), is
    /// refused for training ([`refuse_evaluation_set`]), a key is out of range,
    /// or no question is left.
    pub fn load(&self, purpose: Purpose) -> Result<QuestionSet> {
        self.check()?;
        let held_out = self.held_out()?;
        let mut set = QuestionSet {
            questions: Vec::new(),
            sources: Vec::new(),
        };
        // For each question the number of its file.
        let mut origins: Vec<usize> = Vec::new();
        for path in expand(&self.files)? {
            if purpose == Purpose::Training {
                refuse_evaluation_set(&path)?;
            }
            let mut source = SourceFile::new(&path);
            for article in SquadFile::read(&path)?.articles {
                self.take(article, &held_out, &mut set.questions, &mut source);
            }
            origins.resize(set.questions.len(), set.sources.len());
            (source.sha256, source.bytes) = Lines::checksum(&path)?;
            set.sources.push(source);
        }
        if let Some(limit) = self.limit {
            let keep = draw(set.questions.len(), limit, self.seed);
            for (&origin, _) in origins.iter().zip(&keep).filter(|(_, keep)| !**keep) {
                set.sources[origin].skipped.over_limit += 1;
                set.sources[origin].examples -= 1;
            }
            let mut kept = keep.iter();
            set.questions.retain(|_| kept.next() == Some(&true));
        }
        if set.questions.is_empty() {
            let files = self.files.join(", ");
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("no question of {files} is left; look at `split` and `exclude`"),
            ));
        }
        self.add_negatives(&mut set.questions)?;
        Ok(set)
    }

    fn check(&self) -> Result<()> {
        if self.files.is_empty() {
            return Err(Error::invalid("files", "`files` names no file"));
        }
        if self.limit == Some(0) {
            return Err(Error::invalid("limit", "`limit` must be at least 1"));
        }
        if !(0.0..=10.0).contains(&self.negatives) {
            let what = format!("`negatives` is {}: use 0 to 10", self.negatives);
            return Err(Error::invalid("negatives", what));
        }
        self.split.as_ref().map_or(Ok(()), Split::check)
    }

    fn take(
        &self,
        article: SquadArticle,
        held_out: &HashSet<u128>,
        questions: &mut Vec<PassageQuestion>,
        source: &mut SourceFile,
    ) {
        let key = article_key(&article);
        let takes = self.split.as_ref().is_none_or(|split| split.takes(key));
        for passage in article.passages {
            let context: Arc<str> = passage.context.into();
            let known = |text: &str| text_key(text).is_some_and(|key| held_out.contains(&key));
            let excluded = known(&context);
            for question in passage.questions {
                if !takes {
                    source.skipped.filtered += 1;
                } else if excluded || known(&question.question) {
                    source.skipped.excluded += 1;
                } else {
                    source.examples += 1;
                    questions.push(PassageQuestion::new(question, &context, key));
                }
            }
        }
    }

    /// Fingerprints of passages and questions that must not be learnt.
    fn held_out(&self) -> Result<HashSet<u128>> {
        let mut keys = HashSet::new();
        for path in expand(&self.exclude)? {
            for (passage, question) in SquadFile::read(&path)?.questions() {
                keys.extend(text_key(&passage.context));
                keys.extend(text_key(&question.question));
            }
        }
        Ok(keys)
    }

    fn add_negatives(&self, questions: &mut Vec<PassageQuestion>) -> Result<()> {
        let answered: Vec<usize> = (0..questions.len())
            .filter(|&at| questions[at].answer.is_some())
            .collect();
        let wanted = (self.negatives * answered.len() as f64).round() as usize;
        if wanted == 0 {
            return Ok(());
        }
        let first = questions[0].article;
        if questions.iter().all(|one| one.article == first) {
            return Err(Error::invalid(
                "negatives",
                format!(
                    "{}: `negatives` needs passages of more than one article",
                    self.files.join(", ")
                ),
            ));
        }
        let count = questions.len();
        let mut random = generator(self.seed, "negatives", &[]);
        for number in 0..wanted {
            let asked = answered[number % answered.len()];
            let other = loop {
                let other = random.random_range(0..count);
                if questions[other].article != questions[asked].article {
                    break other;
                }
            };
            let negative = PassageQuestion {
                id: format!("{} of another passage", questions[asked].id),
                passage: Arc::clone(&questions[other].passage),
                answer: None,
                gold: Vec::new(),
                ..questions[asked].clone()
            };
            questions.push(negative);
        }
        Ok(())
    }
}

impl PassageQuestion {
    fn new(question: SquadQuestion, passage: &Arc<str>, article: u128) -> Self {
        let gold: Vec<String> = question.gold().into_iter().map(str::to_owned).collect();
        let answers = match gold.is_empty() {
            true => &[][..],
            false => &question.answers[..],
        };
        Self {
            answer: most_given(answers).map(|answer| {
                let mut starts = passage.char_indices().skip(answer.answer_start);
                let start = starts.next().map_or(passage.len(), |(byte, _)| byte);
                start..start + answer.text.len()
            }),
            id: question.id,
            question: question.question,
            passage: Arc::clone(passage),
            gold,
            article,
        }
    }
}

/// The answer that comes most often; of equals the first.
fn most_given(answers: &[GoldAnswer]) -> Option<&GoldAnswer> {
    let times = |wanted: &GoldAnswer| answers.iter().filter(|one| *one == wanted).count();
    let mut best: Option<(&GoldAnswer, usize)> = None;
    for answer in answers {
        let count = times(answer);
        if best.is_none_or(|(_, most)| count > most) {
            best = Some((answer, count));
        }
    }
    best.map(|(answer, _)| answer)
}

/// Tells an article from others: by its title, or where it has none by its
/// first passage.
fn article_key(article: &SquadArticle) -> u128 {
    let title = article.title.as_deref().and_then(text_key);
    let passage = || {
        article
            .passages
            .first()
            .and_then(|one| text_key(&one.context))
    };
    title.or_else(passage).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// Articles `T0` and so on, each with one passage and two questions, the
    /// second without an answer.
    fn write(path: &Path, articles: usize) {
        let articles: Vec<String> = (0..articles)
            .map(|number| {
                format!(
                    r#"{{"title":"T{number}","paragraphs":[{{"context":"Drug {number} is naïve.",
                    "qas":[{{"id":"a{number}","question":"Which is {number}?",
                    "answers":[{{"text":"Drug","answer_start":0}},
                    {{"text":"naïve","answer_start":10}},{{"text":"naïve","answer_start":10}}]}},
                    {{"id":"b{number}","question":"Who has {number}?","is_impossible":true,
                    "answers":[]}}]}}]}}"#
                )
            })
            .collect();
        fs::write(path, format!("{{\"data\":[{}]}}", articles.join(","))).unwrap();
    }

    fn spec(dir: &Path, rest: &str) -> QuestionSpec {
        let file = dir.join("train.json").display().to_string();
        toml::from_str(&format!("files = [{file:?}]\n{rest}")).unwrap()
    }

    #[test]
    fn the_answer_of_most_annotators_is_learnt() {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join("train.json"), 1);
        let set = spec(dir.path(), "").load(Purpose::Training).unwrap();
        let [first, second] = &set.questions[..] else {
            panic!("{:?}", set.questions)
        };
        assert_eq!(&first.passage[first.answer.clone().unwrap()], "naïve");
        assert_eq!(first.gold, ["Drug", "naïve", "naïve"]);
        assert_eq!((second.answer.clone(), second.gold.len()), (None, 0));
        assert_eq!((set.sources[0].examples, set.sources[0].read()), (2, 2));
    }

    #[test]
    fn parts_hold_each_article_once_and_held_out_ones_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join("train.json"), 9);
        let ids = |part: u32| -> Vec<String> {
            let rest = format!("split = {{ of = 2, parts = [{part}] }}");
            let set = spec(dir.path(), &rest).load(Purpose::Training).unwrap();
            assert_eq!(set.sources[0].read(), 18);
            set.questions.into_iter().map(|one| one.id).collect()
        };
        let mut both = ids(0);
        both.extend(ids(1));
        both.sort();
        assert_eq!(both.len(), 18);
        both.dedup();
        assert_eq!(both.len(), 18);

        write(&dir.path().join("held.json"), 3);
        let held = dir.path().join("held.json").display().to_string();
        let set = spec(dir.path(), &format!("exclude = [{held:?}]\nlimit = 5"));
        let set = set.load(Purpose::Training).unwrap();
        let skipped = &set.sources[0].skipped;
        assert_eq!(
            (set.questions.len(), skipped.excluded, skipped.over_limit),
            (5, 6, 7)
        );
    }

    #[test]
    fn negatives_are_asked_of_other_articles() {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join("train.json"), 4);
        let load = || {
            spec(dir.path(), "negatives = 1.5")
                .load(Purpose::Training)
                .unwrap()
        };
        let set = load();
        assert_eq!(set.questions.len(), 8 + 6);
        for negative in &set.questions[8..] {
            assert!(negative.answer.is_none() && negative.gold.is_empty());
            let number = negative
                .question
                .chars()
                .find(char::is_ascii_digit)
                .unwrap();
            assert!(!negative.passage.contains(number), "{negative:?}");
        }
        assert_eq!(set.questions, load().questions);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join("train.json"), 1);
        for (rest, part) in [
            ("limit = 0", "limit"),
            ("negatives = 11.0", "negatives"),
            ("negatives = 1.0", "more than one article"),
            ("split = { of = 2, parts = [2] }", "split"),
            ("split = { of = 2, parts = [] }", "split"),
        ] {
            let error = spec(dir.path(), rest).load(Purpose::Training).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        }
        let file = dir.path().join("train.json").display().to_string();
        let all = spec(dir.path(), &format!("exclude = [{file:?}]"));
        let error = all.load(Purpose::Training).unwrap_err();
        assert!(error.to_string().contains("no question"), "{error}");
        write(&dir.path().join("a-test.json"), 1);
        let mut test = spec(dir.path(), "");
        test.files = vec![dir.path().join("a-test.json").display().to_string()];
        let error = test.load(Purpose::Training).unwrap_err();
        assert!(error.to_string().contains("test split"), "{error}");
        assert!(test.load(Purpose::Evaluation).is_ok());
    }
}
