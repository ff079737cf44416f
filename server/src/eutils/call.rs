//! Parameters of a call, from the address and from a form.

use super::answer::Failure;
use crate::api::body;
use crate::error::ApiError;
use crate::state::Shared;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};

/// What was asked: names and values, empty ones left out. Values of the
/// address come before those of the body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Call(Vec<(String, String)>);

impl FromRequest<Shared> for Call {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &Shared) -> Result<Self, ApiError> {
        let mut call = Self::default();
        call.add(request.uri().query().unwrap_or_default().as_bytes());
        let is_form = is_form(request.headers());
        let limit = state.config.body_limit_bytes;
        let body = Bytes::from_request(request, state).await;
        let body = body.map_err(|rejection| body::rejected(rejection, limit))?;
        if !body.is_empty() && !is_form {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                "send the parameters as a form: application/x-www-form-urlencoded",
            ));
        }
        call.add(&body);
        Ok(call)
    }
}

/// Whether a body is a form; one that is called nothing is taken for it.
fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next());
    kind.is_none_or(|kind| {
        kind.trim()
            .eq_ignore_ascii_case("application/x-www-form-urlencoded")
    })
}

impl Call {
    fn add(&mut self, form: &[u8]) {
        let pairs = form_urlencoded::parse(form);
        let pairs = pairs.filter(|(_, value)| !value.trim().is_empty());
        self.0
            .extend(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())));
    }

    /// A value; the first of several.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let mut named = self.0.iter().filter(|(given, _)| given == name);
        named.next().map(|(_, value)| value.trim())
    }

    /// Every value of a name, in order.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.0.iter().filter(move |(given, _)| given == name);
        named.map(|(_, value)| value.trim())
    }

    /// A whole number.
    pub(super) fn whole(&self, name: &str) -> Result<Option<usize>, Failure> {
        self.text(name)
            .map(|value| {
                value.parse().map_err(|_| {
                    Failure::new(format!("{name} is {value:?}: use a whole number from 0 on"))
                })
            })
            .transpose()
    }

    /// Names that are given and not among those that are known.
    pub(super) fn unknown<'a>(&'a self, known: &'a [&str]) -> impl Iterator<Item = &'a str> {
        // What says who asks: this server has keys of its own.
        let ignored = ["tool", "email", "api_key"];
        let names = self.0.iter().map(|(name, _)| name.as_str());
        names.filter(move |name| !known.contains(name) && !ignored.contains(name))
    }

    #[cfg(test)]
    pub(super) fn of(form: &str) -> Self {
        let mut call = Self::default();
        call.add(form.as_bytes());
        call
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decoded_trimmed_and_counted() {
        let call =
            Call::of("id=1,2&id=+3&term=%231+AND+asthma&retmax=x&email=a@b&sort=&colour=red");
        assert_eq!(call.all("id").collect::<Vec<_>>(), ["1,2", "3"]);
        assert_eq!(call.text("term"), Some("#1 AND asthma"));
        assert_eq!(call.text("sort"), None);
        assert!(call.whole("retmax").is_err());
        assert_eq!(call.whole("retstart"), Ok(None));
        let known = ["id", "term", "retmax"];
        assert_eq!(call.unknown(&known).collect::<Vec<_>>(), ["colour"]);
    }
}
