//! Bodies of answers, and of failures.

use super::DB;
use super::call::Call;
use crate::error::{ApiError, add_retry_after};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use medsift::Error;
use medsift::xml::XmlWriter;
use serde_json::{Value, json};

/// What a call's answers are called.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// The call, and the type in the header of JSON.
    pub(super) name: &'static str,
    /// The root element.
    pub(super) root: &'static str,
    public: &'static str,
    system: &'static str,
}

pub(super) const ESEARCH: Shape = Shape {
    name: "esearch",
    root: "eSearchResult",
    public: "-//NLM//DTD esearch 20060628//EN",
    system: "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd",
};
pub(super) const ESUMMARY: Shape = Shape {
    name: "esummary",
    root: "eSummaryResult",
    public: "-//NLM//DTD esummary v1 20041029//EN",
    system: "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20041029/esummary-v1.dtd",
};
/// The earlier type: by the later ones Biopython takes `DbInfo` for a list, and
/// scripts do not.
pub(super) const EINFO: Shape = Shape {
    name: "einfo",
    root: "eInfoResult",
    public: "-//NLM//DTD eInfoResult, 11 May 2002//EN",
    system: "https://www.ncbi.nlm.nih.gov/entrez/query/DTD/eInfo_020511.dtd",
};
pub(super) const ELINK: Shape = Shape {
    name: "elink",
    root: "eLinkResult",
    public: "-//NLM//DTD elink 20101123//EN",
    system: "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20101123/elink.dtd",
};
pub(super) const EPOST: Shape = Shape {
    name: "epost",
    root: "ePostResult",
    public: "-//NLM//DTD epost 20090526//EN",
    system: "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20090526/epost.dtd",
};
pub(super) const EFETCH: Shape = Shape {
    name: "efetch",
    root: "eFetchResult",
    public: "-//NLM//DTD efetch 20131226//EN",
    system: "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20131226/efetch.dtd",
};

/// In which notation an answer is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    Xml,
    Json,
}

impl Mode {
    /// Reads `retmode`.
    pub(super) fn of(call: &Call) -> Result<Self, Failure> {
        match call.text("retmode").unwrap_or("xml") {
            "xml" => Ok(Self::Xml),
            "json" => Ok(Self::Json),
            other => Err(Failure::new(format!(
                "unknown retmode {other:?}: use xml or json"
            ))),
        }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    /// 200 where the request is at fault.
    status: StatusCode,
    message: String,
}

impl Failure {
    /// A fault of the request.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            status: StatusCode::OK,
            message: message.into(),
        }
    }

    /// The same as a status, where a client could take the body for an answer.
    pub(super) fn with_status(mut self) -> Self {
        if self.status == StatusCode::OK {
            self.status = StatusCode::BAD_REQUEST;
        }
        self
    }

    pub(super) fn respond(self, shape: Shape, mode: Mode) -> Response {
        let mut response = match mode {
            Mode::Xml => {
                let mut xml = shape.document();
                xml.inside(shape.root, &[], |xml| xml.leaf("ERROR", &self.message));
                xml_body(xml)
            }
            Mode::Json => {
                let mut body = json!({"header": shape.header(), "error": self.message});
                if shape.name == ESEARCH.name {
                    body["esearchresult"] = json!({"ERROR": self.message});
                }
                json_body(&body)
            }
        };
        *response.status_mut() = self.status;
        add_retry_after(&mut response);
        response
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        let is_of_request = [StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND];
        Self {
            status: match error.status {
                status if is_of_request.contains(&status) => StatusCode::OK,
                other => other,
            },
            message: error.message,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        ApiError::from(error).into()
    }
}

impl Shape {
    /// A document of this shape.
    pub(super) fn document(&self) -> XmlWriter {
        XmlWriter::document(self.root, self.public, self.system)
    }

    /// The head of an answer in JSON.
    pub(super) fn header(&self) -> Value {
        json!({"type": self.name, "version": "0.3"})
    }

    /// An answer, or why there is none.
    pub(super) fn respond(self, call: &Call, answer: Result<Response, Failure>) -> Response {
        let mode = Mode::of(call).unwrap_or_default();
        answer.unwrap_or_else(|failure| failure.respond(self, mode))
    }
}

/// Refuses other databases.
pub(super) fn check_db(call: &Call, name: &str) -> Result<(), Failure> {
    match call.text(name) {
        None | Some(DB) => Ok(()),
        Some(other) => Err(Failure::new(format!(
            "Invalid {name} name specified: {other:?}; this server has {DB} alone"
        ))),
    }
}

pub(super) fn xml_body(xml: XmlWriter) -> Response {
    let kind = [(CONTENT_TYPE, "text/xml; charset=UTF-8")];
    (kind, xml.finish()).into_response()
}

pub(super) fn json_body(value: &Value) -> Response {
    let kind = [(CONTENT_TYPE, "application/json; charset=UTF-8")];
    (kind, value.to_string()).into_response()
}

pub(super) fn text_body(text: String) -> Response {
    let kind = [(CONTENT_TYPE, "text/plain; charset=UTF-8")];
    (kind, text).into_response()
}
