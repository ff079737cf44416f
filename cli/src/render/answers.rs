//! Answers to a question, and how well answers are found.

use super::text::clean;
use crate::commands::eval::{AnswerReport, Measured};
use crate::output::Style;
use medsift::enrich::answer::Stance;
use medsift::searcher::{AnswerField, AnswerResponse, ArticleAnswer, Verdict};

/// The verdict if there is one, the answers with their sentences, and what gave
/// them.
pub(crate) fn page(response: &AnswerResponse, style: Style) -> String {
    let mut page = String::new();
    if let Some(verdict) = &response.verdict {
        page.push_str(&judged(verdict, style));
    }
    for (place, answer) in response.answers.iter().enumerate() {
        page.push_str(&one(place + 1, answer, style));
    }
    if let Some(message) = &response.message {
        page.push_str(&clean(message));
        page.push('\n');
    }
    let judge = response.verdict_head.as_ref();
    let judge = judge.map_or_else(String::new, |head| format!(", verdict by head {head}"));
    page.push_str(&clean(&format!(
        "{} articles read, model {}, head {}{judge}; {:.0} ms",
        response.read, response.model, response.head, response.took.total_ms
    )));
    page.push('\n');
    page
}

fn judged(verdict: &Verdict, style: Style) -> String {
    let word = match verdict.verdict {
        Stance::Yes => "yes",
        Stance::No => "no",
        Stance::Maybe => "undecided",
    };
    format!(
        "{}: {} articles support it, {} oppose it, {} do not decide it\n\n",
        style.highlight(word),
        verdict.supporting,
        verdict.opposing,
        verdict.undecided
    )
}

fn one(place: usize, answer: &ArticleAnswer, style: Style) -> String {
    let year = answer
        .year
        .map_or_else(String::new, |year| format!(" ({year})"));
    let retracted = if answer.retracted { " RETRACTED" } else { "" };
    let field = match answer.field {
        AnswerField::Title => "title",
        AnswerField::Text => "text",
    };
    let mut text = format!(
        "{place}. {}  {:.2}\n   {}\n   {}{year}{retracted} {}, {field} {}..{}\n",
        style.highlight(&clean(&answer.answer.text)),
        answer.answer.confidence,
        clean(&answer.evidence.text),
        clean(&answer.title),
        clean(answer.id.as_str()),
        answer.answer.start,
        answer.answer.end
    );
    if !answer.also_in.is_empty() {
        let ids: Vec<&str> = answer.also_in.iter().map(|id| id.as_str()).collect();
        text.push_str(&format!("   also in {}\n", clean(&ids.join(", "))));
    }
    text.push('\n');
    text
}

/// For each file its scores.
pub(crate) fn scores(report: &AnswerReport) -> String {
    let head = report.head.as_ref();
    let head = head.map_or_else(String::new, |head| format!(", head {head}"));
    let threshold = report.threshold;
    let threshold = threshold.map_or_else(String::new, |at| format!(", threshold {at:.3}"));
    let mut page = clean(&format!("model  {}{head}{threshold}", report.model));
    page.push('\n');
    for result in &report.results {
        page.push('\n');
        page.push_str(&clean(&result.file));
        match &result.scores {
            Measured::Squad { scores, best } => {
                page.push_str(&format!(
                    ": {} questions\nexact match {:.4}  F1 {:.4}\n",
                    scores.questions, scores.exact, scores.f1
                ));
                if scores.unanswerable > 0 {
                    page.push_str(&format!(
                        "with an answer: exact match {:.4}  F1 {:.4}; {} without one: {:.4} right\n",
                        scores.answerable_exact,
                        scores.answerable_f1,
                        scores.unanswerable,
                        scores.unanswerable_right
                    ));
                }
                if let Some(best) = best {
                    page.push_str(&format!(
                        "the best threshold here is {:.3}, with F1 {:.4}\n",
                        best.margin, best.f1
                    ));
                }
            }
            Measured::Ranked(scores) => page.push_str(&format!(
                ": {} questions\nstrict accuracy {:.4}  lenient accuracy {:.4}  MRR {:.4}\n",
                scores.questions, scores.strict, scores.lenient, scores.mrr
            )),
        }
    }
    page
}
