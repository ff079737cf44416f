//! Answers to a question, out of the articles that a search finds.

use super::{Hit, SearchSettings, Searcher};
use crate::article::ArticleId;
use crate::enrich::Answer;
use crate::enrich::answer::{ReadTexts, Stance, is_yes_no_question};
use crate::error::{Error, ErrorKind, Result};
use crate::eval::answers::normalise_answer;
use crate::passage::sentence_ranges;
use crate::query::{Query, QueryRequest, Syntax};
use crate::trace::stage;
use serde::Serialize;
use std::time::Instant;

/// Characters of a text above which only its best passage is read.
const LONGEST: usize = 4000;

/// What whoever asks is told where the model has no head for answers.
pub const NO_HEAD: &str = "questions cannot be answered: the model has no head for answers \
                           (search.answer.head names it; `medsift train run \
                           config/train/answers.toml` makes one)";

/// Most answers of one article.
const OF_ONE_ARTICLE: usize = 3;

/// Answer to one question.
#[derive(Debug, Clone, Serialize)]
pub struct AnswerResponse {
    /// The question.
    pub question: String,
    /// The answers above the head's threshold, best first; none where no article
    /// answers the question.
    pub answers: Vec<ArticleAnswer>,
    /// What the articles say, where the question is one of yes and no and the
    /// model has a head for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// In words, where there is neither answer nor verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Articles that were read.
    pub read: usize,
    /// What the user should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The encoder under the heads, as its fingerprint has it.
    pub model: String,
    /// The head that finds answers.
    pub head: String,
    /// The head that judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict_head: Option<String>,
    /// Which committed state answered.
    pub generation: u64,
    /// Where the time went.
    pub took: AnswerTook,
}

/// Milliseconds spent on an answer.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct AnswerTook {
    /// All of it.
    pub total_ms: f64,
    /// Finding articles.
    pub search_ms: f64,
    /// Reading them.
    pub read_ms: f64,
}

/// An answer, and where it stands.
#[derive(Debug, Clone, Serialize)]
pub struct ArticleAnswer {
    /// The article.
    pub id: ArticleId,
    /// Its title.
    pub title: String,
    /// Its year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<i32>,
    /// Whether it is retracted.
    pub retracted: bool,
    /// Which of its texts the answer stands in.
    pub field: AnswerField,
    /// The span in this text.
    #[serde(flatten)]
    pub answer: Answer,
    /// The sentences that it stands in.
    pub evidence: AnswerEvidence,
    /// Other articles in which the same answer was found, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_in: Vec<ArticleId>,
}

/// A text of an article, as hits have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswerField {
    /// The title; only where the article has no other text.
    Title,
    /// The running text.
    Text,
}

/// The sentences around an answer, in characters of the same text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnswerEvidence {
    /// First character.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
    /// The text between the two.
    pub text: String,
}

/// What articles say to a question of yes and no.
#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    /// What most of them say, weighed by the head's probabilities; of equals
    /// that they do not decide it.
    pub verdict: Stance,
    /// Articles that support it.
    pub supporting: usize,
    /// Articles that oppose it.
    pub opposing: usize,
    /// Articles that do not decide it.
    pub undecided: usize,
    /// Each article by itself, in the order of the search.
    pub articles: Vec<ArticleStance>,
}

/// What one article says.
#[derive(Debug, Clone, Serialize)]
pub struct ArticleStance {
    /// The article.
    pub id: ArticleId,
    /// Its title.
    pub title: String,
    /// What it says.
    pub stance: Stance,
    /// Probability that the head gives that.
    pub score: f32,
}

/// What is read of a hit: a part of one of its texts.
struct Part<'a> {
    field: AnswerField,
    whole: &'a str,
    /// Where the part begins, in bytes and characters.
    byte: usize,
    character: usize,
    text: &'a str,
}

/// The search for a question: by plain words, unless the request says otherwise,
/// and for as many articles as are to be read.
///
/// # Errors
/// As [`Query::new`], and when the request asks for other hits than the first or
/// for more of them than their text.
pub fn question(mut request: QueryRequest, settings: &SearchSettings) -> Result<Query> {
    for (field, given) in [
        ("offset", request.offset > 0),
        ("enrich", !request.enrich.is_empty()),
        ("explain", request.explain),
        ("facets", !request.facets.is_empty()),
        ("cursor", request.cursor.is_some()),
    ] {
        if given {
            let what = format!("{field} is for searches: an answer is read out of the first hits");
            return Err(Error::invalid(field, what));
        }
    }
    if request.syntax == Syntax::default() {
        request.syntax = Syntax::Plain;
    }
    request.limit.get_or_insert(settings.answer.articles);
    Query::new(request, &settings.query)
}

impl Searcher {
    /// Whether questions can be answered.
    pub fn can_answer(&self) -> bool {
        self.extras.answerer.is_some()
    }

    /// Answers a question: searches for it, reads the best articles, and gives
    /// the spans that answer it. The query's text is the question; its limit says
    /// how many articles are read.
    ///
    /// # Errors
    ///
    /// `NotFound` where the model has no head for answers, and as
    /// [`Searcher::search`]. Where reading fails or the time is over, the
    /// response says so in its warnings.
    pub fn answer(&self, query: &Query) -> Result<AnswerResponse> {
        let start = Instant::now();
        let answerer = self.extras.answerer.as_ref();
        let answerer = answerer.ok_or_else(|| Error::new(ErrorKind::NotFound, NO_HEAD))?;
        let found = self.search(query)?;
        self.deadline.check()?;
        let searched = Instant::now();
        let _stage = stage!("read");
        let question = query.text();
        let parts: Vec<Part<'_>> = found.hits.iter().map(Part::of).collect();
        let texts: Vec<&str> = parts.iter().map(|part| part.text).collect();
        let judge = is_yes_no_question(question);
        let read = answerer.read(question, &texts, OF_ONE_ARTICLE, judge);
        let mut warnings = found.warnings;
        if let Some(why) = &read.incomplete {
            warnings.push(format!("some articles were not read: {why}"));
        }
        let count = read.answers.iter().flatten().count();
        let verdict = verdict(&found.hits, &read);
        let answers = answers(&found.hits, &parts, read, answerer.settings().answers);
        let message = (answers.is_empty() && verdict.is_none())
            .then(|| format!("no answer found in the {count} articles that were read"));
        let end = Instant::now();
        let millis = |from: Instant, to: Instant| (to - from).as_secs_f64() * 1e3;
        Ok(AnswerResponse {
            question: question.to_owned(),
            answers,
            message,
            read: count,
            warnings,
            model: answerer.model().to_owned(),
            head: answerer.head().to_owned(),
            verdict_head: verdict
                .is_some()
                .then(|| answerer.verdict_head().unwrap_or_default().to_owned()),
            verdict,
            generation: self.generation(),
            took: AnswerTook {
                total_ms: millis(start, end),
                search_ms: millis(start, searched),
                read_ms: millis(searched, end),
            },
        })
    }
}

impl<'a> Part<'a> {
    /// The running text; of a long one its best passage, or its beginning; the
    /// title where there is no other text.
    fn of(hit: &'a Hit) -> Self {
        let (field, whole) = match hit.text.trim().is_empty() {
            true => (AnswerField::Title, hit.title.as_str()),
            false => (AnswerField::Text, hit.text.as_str()),
        };
        let long = field == AnswerField::Text && whole.chars().count() > LONGEST;
        let (start, end) = match &hit.passage {
            Some(passage) if long => (passage.start, passage.end.min(passage.start + LONGEST)),
            _ => (0, LONGEST.min(whole.chars().count())),
        };
        let byte = |character: usize| {
            let place = whole.char_indices().nth(character);
            place.map_or(whole.len(), |(byte, _)| byte)
        };
        let (from, to) = (byte(start), byte(end));
        Self {
            field,
            whole,
            byte: from,
            character: start,
            text: &whole[from..to.max(from)],
        }
    }

    /// The sentences around an answer in this part.
    fn evidence(&self, answer: &Answer) -> AnswerEvidence {
        let byte = |character: usize| {
            let place = self.text.char_indices().nth(character);
            self.byte + place.map_or(self.text.len(), |(byte, _)| byte)
        };
        let (first, last) = (byte(answer.start), byte(answer.end));
        let (mut from, mut to) = (first, last);
        for sentence in sentence_ranges(self.whole) {
            if sentence.contains(&first) {
                from = sentence.start;
            }
            if sentence.start < last && last <= sentence.end {
                to = sentence.start + self.whole[sentence.clone()].trim_end().len();
            }
        }
        let to = to.max(last);
        let start = self.whole[..from].chars().count();
        let text = &self.whole[from..to];
        AnswerEvidence {
            start,
            end: start + text.chars().count(),
            text: text.to_owned(),
        }
    }
}

/// The answers of all hits, best first, each once.
fn answers(hits: &[Hit], parts: &[Part<'_>], read: ReadTexts, most: usize) -> Vec<ArticleAnswer> {
    let mut all: Vec<(usize, Answer)> = Vec::new();
    for (at, own) in read.answers.into_iter().enumerate() {
        all.extend(own.into_iter().flatten().map(|answer| (at, answer)));
    }
    // Stable: of equals that of the better hit.
    all.sort_by(|a, b| b.1.margin.total_cmp(&a.1.margin));
    let mut kept: Vec<(String, ArticleAnswer)> = Vec::new();
    for (at, mut answer) in all {
        let key = normalise_answer(&answer.text);
        let id = &hits[at].id;
        if let Some((_, same)) = kept.iter_mut().find(|(known, _)| *known == key) {
            if same.id != *id && !same.also_in.contains(id) {
                same.also_in.push(id.clone());
            }
        } else if kept.len() < most {
            let evidence = parts[at].evidence(&answer);
            answer.start += parts[at].character;
            answer.end += parts[at].character;
            let article = ArticleAnswer {
                id: id.clone(),
                title: hits[at].title.clone(),
                year: hits[at].year,
                retracted: hits[at].retracted,
                field: parts[at].field,
                answer,
                evidence,
                also_in: Vec::new(),
            };
            kept.push((key, article));
        }
    }
    kept.into_iter().map(|(_, answer)| answer).collect()
}

/// What the hits that were judged say.
fn verdict(hits: &[Hit], read: &ReadTexts) -> Option<Verdict> {
    let articles: Vec<ArticleStance> = hits
        .iter()
        .zip(&read.stances)
        .filter_map(|(hit, stance)| {
            let (stance, score) = (*stance)?;
            Some(ArticleStance {
                id: hit.id.clone(),
                title: hit.title.clone(),
                stance,
                score,
            })
        })
        .collect();
    if articles.is_empty() {
        return None;
    }
    let of = |stance: Stance| articles.iter().filter(move |one| one.stance == stance);
    let weight = |stance| of(stance).map(|one| one.score).sum::<f32>();
    let [yes, no, maybe] = [Stance::Yes, Stance::No, Stance::Maybe].map(weight);
    let verdict = if yes > no && yes > maybe {
        Stance::Yes
    } else if no > yes && no > maybe {
        Stance::No
    } else {
        Stance::Maybe
    };
    Some(Verdict {
        verdict,
        supporting: of(Stance::Yes).count(),
        opposing: of(Stance::No).count(),
        undecided: of(Stance::Maybe).count(),
        articles,
    })
}
