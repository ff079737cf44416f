//! `efetch.fcgi`: articles as XML, MEDLINE text, abstracts to read, or PMIDs.

use super::MOST_FETCHED;
use super::answer::{EFETCH, Failure, Mode, check_db, text_body, xml_body};
use super::call::Call;
use super::ids::{Named, wanted};
use crate::error::ApiError;
use crate::state::Shared;
use crate::streamed::{Streamed, streamed};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use medsift::Deadline;
use medsift::article::citation::{nbib, printed, pubmed_xml, pubmed_xml_head, pubmed_xml_tail};
use medsift::searcher::Searcher;
use medsift::xml::XmlWriter;
use std::sync::Arc;
use std::time::Duration;

/// Articles that are read and written at a time.
const BATCH: usize = 200;

/// How long a fetch waits before it asks for its turn again where searches fill
/// the queue.
const PATIENCE: Duration = Duration::from_millis(100);

/// How many articles the answer has.
const ARTICLES: HeaderName = HeaderName::from_static("medsift-articles");

/// Ids that have no article in the index, with commas between them.
const MISSING: HeaderName = HeaderName::from_static("medsift-missing");

/// Missing ids that are named.
const NAMED: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Xml,
    Medline,
    Abstract,
    /// PMIDs, as text or as XML.
    Uilist(Mode),
}

/// Answers the call. The body may be text, so failures have a status.
pub(crate) async fn answer(State(state): State<Shared>, call: Call) -> Response {
    let answer = fetch(&state, &call).await;
    answer.unwrap_or_else(|failure| failure.with_status().respond(EFETCH, Mode::Xml))
}

impl Format {
    /// Reads `rettype` and `retmode` as NCBI's table for PubMed has them.
    fn of(call: &Call) -> Result<Self, Failure> {
        let kind = call.text("rettype").unwrap_or("").to_lowercase();
        let mode = call.text("retmode").unwrap_or("").to_lowercase();
        match (kind.as_str(), mode.as_str()) {
            ("uilist", "xml") => Ok(Self::Uilist(Mode::Xml)),
            ("uilist", "" | "text") => Ok(Self::Uilist(Mode::Json)),
            ("medline", "" | "text") => Ok(Self::Medline),
            ("abstract", "" | "text") => Ok(Self::Abstract),
            // As at NCBI, XML is the whole record whatever the type is.
            (_, "xml") | ("" | "xml" | "full", "") => Ok(Self::Xml),
            (kind, mode) => Err(Failure::new(format!(
                "rettype {kind:?} with retmode {mode:?} is not written here: use xml; medline, \
                 abstract or uilist with text"
            ))),
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Xml => "text/xml; charset=UTF-8",
            _ => "text/plain; charset=UTF-8",
        }
    }

    fn head(self) -> String {
        match self {
            Self::Xml => pubmed_xml_head(),
            _ => String::new(),
        }
    }

    fn tail(self) -> String {
        match self {
            Self::Xml => pubmed_xml_tail(),
            _ => String::new(),
        }
    }

    /// The articles of a batch, the first of which has a number.
    fn write(self, searcher: &Searcher, pmids: &[u32], first: usize) -> Result<String, ApiError> {
        let mut text = String::new();
        for (number, &pmid) in (first..).zip(pmids) {
            let Some(stored) = searcher.article_of_pmid(pmid)? else {
                continue;
            };
            let article = &stored.article;
            text.push_str(&match self {
                Self::Xml => pubmed_xml(article),
                Self::Medline => nbib(article),
                Self::Abstract => printed(article, number),
                Self::Uilist(_) => format!("{pmid}\n"),
            });
        }
        Ok(text)
    }
}

async fn fetch(state: &Shared, call: &Call) -> Result<Response, Failure> {
    check_db(call, "db")?;
    let format = Format::of(call)?;
    let mut named = wanted(state, call, MOST_FETCHED)?;
    let job = move |_: &_, searcher: &Searcher| {
        let mut held = Vec::with_capacity(named.pmids.len());
        for pmid in std::mem::take(&mut named.pmids) {
            if searcher.holds_pmid(pmid)? {
                held.push(pmid);
            } else {
                named.others.push(pmid.to_string());
            }
        }
        named.pmids = held;
        Ok((Arc::new(searcher.until(Deadline::NEVER)), named))
    };
    let (searcher, named) = state.with_searcher(job).await?.value;
    let headers = [
        (ARTICLES, HeaderValue::from(named.pmids.len())),
        (MISSING, missing(&named)),
    ];
    if let Format::Uilist(mode) = format {
        return Ok((headers, list(&named.pmids, mode)).into_response());
    }
    let (sender, body) = streamed();
    let kind = [(CONTENT_TYPE, format.media_type())];
    tokio::spawn(send(
        Arc::clone(state),
        searcher,
        named.pmids,
        format,
        sender,
    ));
    Ok((headers, kind, body).into_response())
}

/// The ids without an article, as far as a header has room for them.
fn missing(named: &Named) -> HeaderValue {
    let mut ids: Vec<String> = named.others.iter().take(NAMED).cloned().collect();
    if named.others.len() > NAMED {
        ids.push(format!("and {} others", named.others.len() - NAMED));
    }
    // What is no id may be anything, and headers are not.
    let text = ids.join(",");
    let plain: String = text.chars().filter(|c| (' '..='~').contains(c)).collect();
    HeaderValue::from_str(plain.get(..4000).unwrap_or(&plain))
        .unwrap_or(HeaderValue::from_static("?"))
}

fn list(pmids: &[u32], mode: Mode) -> Response {
    if mode == Mode::Xml {
        let mut xml = XmlWriter::new();
        xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.inside("IdList", &[], |xml| {
            for pmid in pmids {
                xml.leaf("Id", &pmid.to_string());
            }
        });
        return xml_body(xml);
    }
    text_body(pmids.iter().map(|pmid| format!("{pmid}\n")).collect())
}

/// Writes batch after batch, each as a job among the searches, for as long as
/// somebody reads.
async fn send(
    state: Shared,
    searcher: Arc<Searcher>,
    pmids: Vec<u32>,
    format: Format,
    sender: Streamed,
) {
    let limit = state.config.request_timeout();
    if !sender.send(format.head().into_bytes(), limit).await {
        return;
    }
    for (number, batch) in pmids.chunks(BATCH).enumerate() {
        let first = number * BATCH + 1;
        loop {
            let (searcher, batch) = (Arc::clone(&searcher), batch.to_vec());
            let job = move |_: &_, _: &_| format.write(&searcher, &batch, first);
            match state.with_searcher(job).await {
                Ok(done) => {
                    if !sender.send(done.value.into_bytes(), limit).await {
                        return;
                    }
                    break;
                }
                Err(_) if sender.is_deserted() => return,
                Err(error) if error.code == "busy" => tokio::time::sleep(PATIENCE).await,
                Err(error) => {
                    tracing::error!(message = %error.message, "a fetch broke off");
                    return;
                }
            }
        }
    }
    if sender.send(format.tail().into_bytes(), limit).await {
        sender.finish(limit).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_modes_go_together_as_at_ncbi() {
        for (form, format) in [
            ("", Some(Format::Xml)),
            ("rettype=xml", Some(Format::Xml)),
            ("retmode=xml", Some(Format::Xml)),
            ("rettype=abstract&retmode=xml", Some(Format::Xml)),
            ("rettype=medline&retmode=text", Some(Format::Medline)),
            ("rettype=abstract&retmode=text", Some(Format::Abstract)),
            ("rettype=uilist", Some(Format::Uilist(Mode::Json))),
            (
                "rettype=uilist&retmode=xml",
                Some(Format::Uilist(Mode::Xml)),
            ),
            ("retmode=json", None),
            ("retmode=text", None),
            ("rettype=gb&retmode=text", None),
        ] {
            assert_eq!(Format::of(&Call::of(form)).ok(), format, "{form}");
        }
    }

    #[test]
    fn a_header_takes_any_id() {
        let named = Named {
            pmids: Vec::new(),
            others: vec!["é\r\nx: y".to_owned(), "7".to_owned()],
        };
        assert_eq!(missing(&named), "x: y,7");
    }
}
