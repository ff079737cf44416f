//! Refusals by the HTTP library itself, of requests that never become one: it
//! answers them with a bare status, and offers no place to say more. They are
//! recognised as they are written to the connection, and given the shape that
//! every other error has.

use serde_json::json;

/// Status lines of such answers, with the code and the message.
const REFUSALS: [(&str, &str, &str); 3] = [
    (
        "HTTP/1.1 400 ",
        "bad_request",
        "this is no HTTP/1.1 request: its first line or a header cannot be read",
    ),
    (
        "HTTP/1.1 414 ",
        "address_too_long",
        "the address is too long: send the search as JSON, with POST",
    ),
    (
        "HTTP/1.1 431 ",
        "headers_too_large",
        "the headers are too large: send fewer or shorter ones",
    ),
];

/// The header of an answer without a body, which no error of our own is.
const NO_BODY: &str = "\r\ncontent-length: 0\r\n";

/// What is sent instead of bytes that are such an answer.
pub(crate) fn in_shape(bytes: &[u8]) -> Option<Vec<u8>> {
    let (_, code, message) = REFUSALS
        .iter()
        .find(|(line, _, _)| bytes.starts_with(line.as_bytes()))?;
    let head = std::str::from_utf8(bytes).ok()?;
    let head = head.strip_suffix("\r\n\r\n")?;
    // The last header has its line end among those that were cut off.
    let head = format!("{head}\r\n");
    if head.contains("\r\n\r\n") || !head.contains(NO_BODY) {
        return None;
    }
    let error = json!({"code": code, "message": message, "field": null});
    let body = json!({"error": error}).to_string();
    let length = body.len();
    let headers = format!("\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n");
    Some(format!("{}\r\n{body}", head.replacen(NO_BODY, &headers, 1)).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_refusal_gets_the_shape_of_errors() {
        for order in [
            "content-length: 0\r\nconnection: close\r\n",
            "connection: close\r\ncontent-length: 0\r\n",
        ] {
            let bare = format!("HTTP/1.1 414 URI Too Long\r\n{order}\r\n");
            let shaped = String::from_utf8(in_shape(bare.as_bytes()).unwrap()).unwrap();
            let (head, body) = shaped.split_once("\r\n\r\n").unwrap();
            assert!(head.starts_with("HTTP/1.1 414 URI Too Long\r\n"), "{head}");
            assert!(head.contains("connection: close"), "{head}");
            let length = format!("content-length: {}", body.len());
            assert!(head.lines().any(|line| line == length), "{head}");
            let body: serde_json::Value = serde_json::from_str(body).unwrap();
            assert_eq!(body["error"]["code"], "address_too_long");
        }
    }

    #[test]
    fn every_other_answer_is_left_alone() {
        for answer in [
            "",
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 22\r\n\r\n\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 414 URI",
        ] {
            assert_eq!(in_shape(answer.as_bytes()), None, "{answer:?}");
        }
    }
}
