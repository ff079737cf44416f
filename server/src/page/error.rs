//! Errors as pages, with the form at hand and ways on from there.

use super::html::Html;
use super::layout::Layout;
use super::{form, html};
use crate::error::{ApiError, add_retry_after};
use crate::params;
use axum::extract::Request;
use axum::http::header::ACCEPT;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use medsift::query::{Mode, QueryRequest};

/// Answers with a page that tells the error; the form holds what was typed, and
/// `asked` is the address that may be asked again.
pub(crate) fn respond(error: &ApiError, typed: &QueryRequest, asked: Option<&Uri>) -> Response {
    let again = asked.and_then(leads_back);
    let mut response = html::respond(error.status, page(error, typed, again));
    add_retry_after(&mut response);
    response
}

/// Programs get JSON, people outside of the API get a page.
pub(crate) fn for_client(request: &Request, error: ApiError) -> Response {
    let accepts_html = request
        .headers()
        .get_all(ACCEPT)
        .iter()
        .any(|value| value.to_str().is_ok_and(|text| text.contains("text/html")));
    if accepts_html && !request.uri().path().starts_with("/v1/") {
        // What was posted would not come along with a link.
        let asked = (request.method() == Method::GET).then(|| request.uri());
        respond(&error, &QueryRequest::default(), asked)
    } else {
        error.into_response()
    }
}

/// The address as a link to this server: with two slashes at its beginning it
/// would lead to another one.
fn leads_back(asked: &Uri) -> Option<&str> {
    let address = asked.path_and_query()?.as_str();
    let path = address.strip_prefix('/')?;
    (!path.starts_with(['/', '\\'])).then_some(address)
}

fn page(error: &ApiError, typed: &QueryRequest, again: Option<&str>) -> String {
    let heading = heading(error.status);
    let layout = Layout {
        title: heading,
        class: "trouble",
        skip: "Skip to the message",
    };
    layout.page(
        |html| form::write(html, typed, typed.mode.unwrap_or(Mode::Hybrid)),
        |html| {
            html.element(
                "section",
                &[("class", "message"), ("role", "alert")],
                |html| {
                    html.leaf("p", &[("class", "status")], error.status.as_u16());
                    html.leaf("h1", &[], heading);
                    html.leaf("p", &[("class", "what")], &error.message);
                    if let Some(field) = &error.field {
                        html.raw("<p class=\"field-name\">Parameter: ");
                        html.leaf("code", &[], field).raw("</p>");
                    }
                    ways_on(html, error.status, typed, again);
                    html.raw("<p><a href=\"/\">Start a new search</a></p>");
                },
            );
        },
    )
}

/// What may be tried with the same search; that of 429 and 503 says how soon.
fn ways_on(html: &mut Html, status: StatusCode, typed: &QueryRequest, again: Option<&str>) {
    let way = |html: &mut Html, address: &str, text: &'static str| {
        html.element("p", &[], |html| {
            html.leaf("a", &[("href", address)], text);
        });
    };
    match (status, again) {
        (StatusCode::GONE, _) => {
            let first = QueryRequest {
                offset: 0,
                cursor: None,
                ..typed.clone()
            };
            let address = format!("/?{}", params::query_string(&first));
            way(html, &address, "Go to the first page");
        }
        (
            StatusCode::TOO_MANY_REQUESTS
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT,
            Some(again),
        ) => way(html, again, "Try again"),
        _ => {}
    }
}

fn heading(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "Not here",
        StatusCode::UNAUTHORIZED => "A key is needed",
        StatusCode::GONE => "The list has changed",
        StatusCode::TOO_MANY_REQUESTS => "Too many requests",
        StatusCode::SERVICE_UNAVAILABLE => "Busy right now",
        StatusCode::GATEWAY_TIMEOUT => "That took too long",
        status if status.is_client_error() => "This search is not understood",
        _ => "Something broke",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_text_and_the_form_keeps_the_words() {
        let error = ApiError::parameter("li<mit", "limit is <0>");
        let typed = QueryRequest {
            query: "asthma".into(),
            ..QueryRequest::default()
        };
        let html = page(&error, &typed, Some("/?q=asthma&limit=0"));
        assert!(
            !html.contains("Try again"),
            "it would be refused again: {html}"
        );
        assert!(html.contains("limit is &lt;0&gt;"));
        assert!(html.contains("<code>li&lt;mit</code>"));
        assert!(html.contains("value=\"asthma\""));
    }

    #[test]
    fn what_may_go_better_the_next_time_can_be_tried_again() {
        let again = "<a href=\"/?q=a%22b&amp;limit=5\">Try again</a>";
        for (status, offered) in [
            (429, true),
            (503, true),
            (504, true),
            (404, false),
            (410, false),
            (500, false),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            let error = ApiError::new(status, "code", "in 3 s");
            let typed = QueryRequest::default();
            let html = page(&error, &typed, Some("/?q=a%22b&limit=5"));
            assert_eq!(html.contains(again), offered, "{status}: {html}");
            let posted = page(&error, &typed, None);
            assert!(!posted.contains("Try again"), "{status}: {posted}");
        }
    }

    #[test]
    fn a_list_that_has_changed_begins_again() {
        let error = ApiError::new(StatusCode::GONE, "cursor_expired", "begin again");
        let typed = QueryRequest {
            query: "asthma & more".into(),
            limit: Some(5),
            offset: 20,
            ..QueryRequest::default()
        };
        let html = page(&error, &typed, None);
        let first = "<a href=\"/?q=asthma+%26+more&amp;limit=5\">Go to the first page</a>";
        assert!(html.contains(first), "{html}");
    }

    #[test]
    fn a_link_stays_on_this_server() {
        let back = |address: &'static str| {
            let uri = Uri::from_static(address);
            leads_back(&uri).map(str::to_owned)
        };
        assert_eq!(back("/?q=a").as_deref(), Some("/?q=a"));
        assert_eq!(
            back("http://host/articles/1?q=a").as_deref(),
            Some("/articles/1?q=a")
        );
        assert_eq!(back("//example.org/"), None);
        assert_eq!(back("*"), None);
    }
}
