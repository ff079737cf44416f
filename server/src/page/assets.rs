//! Style sheet, script and icon: part of the program.

use crate::error::ApiError;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

const STYLE: &str = include_str!("style.css");
/// Two scripts that know nothing of each other, as one file.
const SCRIPT: &str = concat!(include_str!("page.js"), include_str!("answer.js"));
const ICON: &str = include_str!("icon.svg");

/// A year: the addresses below change with what they lead to.
const FOREVER: &str = "public, max-age=31536000, immutable";

/// FNV-1a (<http://www.isthe.com/chongo/tech/comp/fnv/>), 64 bits.
const fn hash(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

const STYLE_HASH: u64 = hash(STYLE);
const SCRIPT_HASH: u64 = hash(SCRIPT);
const ICON_HASH: u64 = hash(ICON);

/// Address of the style sheet.
pub(crate) fn style_address() -> String {
    format!("/assets/style.css?{STYLE_HASH:016x}")
}

/// Address of the script.
pub(crate) fn script_address() -> String {
    format!("/assets/page.js?{SCRIPT_HASH:016x}")
}

/// Address of the icon.
pub(crate) fn icon_address() -> String {
    format!("/assets/icon.svg?{ICON_HASH:016x}")
}

/// `GET /assets/{name}`.
pub(crate) async fn get(Path(name): Path<String>) -> Result<Response, ApiError> {
    let (kind, content) = match name.as_str() {
        "style.css" => ("text/css; charset=utf-8", STYLE),
        "page.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "icon.svg" => ("image/svg+xml", ICON),
        _ => {
            return Err(ApiError::new(
                StatusCode::NOT_FOUND,
                "unknown_path",
                format!("nothing is at /assets/{name}"),
            ));
        }
    };
    Ok(([(CONTENT_TYPE, kind), (CACHE_CONTROL, FOREVER)], content).into_response())
}

#[cfg(test)]
mod tests;
