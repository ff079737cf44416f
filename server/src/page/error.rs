//! Errors as pages, with the form at hand to try again.

use super::layout::Layout;
use super::{form, html};
use crate::error::{ApiError, add_retry_after};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::ACCEPT;
use axum::response::{IntoResponse, Response};
use medsift::query::{Mode, QueryRequest};

/// Answers with a page that tells the error; the form holds what was typed.
pub(crate) fn respond(error: &ApiError, typed: &QueryRequest) -> Response {
    let mut response = html::respond(error.status, page(error, typed));
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
        respond(&error, &QueryRequest::default())
    } else {
        error.into_response()
    }
}

fn page(error: &ApiError, typed: &QueryRequest) -> String {
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
                    html.raw("<p><a href=\"/\">Start a new search</a></p>");
                },
            );
        },
    )
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
        let html = page(&error, &typed);
        assert!(html.contains("limit is &lt;0&gt;"));
        assert!(html.contains("<code>li&lt;mit</code>"));
        assert!(html.contains("value=\"asthma\""));
    }
}
