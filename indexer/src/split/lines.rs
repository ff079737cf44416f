//! One record a line.

use super::window::Window;
use super::{Cut, MAX_RECORD_BYTES, RawKind};

/// The next line that is not blank, without its end.
pub(super) fn next(window: &mut Window) -> Option<Cut> {
    if window.offset() == 0 && window.ensure(3) && window.data().starts_with(b"\xef\xbb\xbf") {
        window.skip(3);
    }
    loop {
        let end = window.find_byte(b'\n', 0, MAX_RECORD_BYTES);
        let offset = window.offset();
        let Some(end) = end else {
            return last(window, offset);
        };
        let line = &window.data()[..end];
        if line.trim_ascii().is_empty() {
            window.skip(end + 1);
            continue;
        }
        let bytes = window.take(end);
        window.skip(1);
        return Some(Cut {
            kind: RawKind::Json,
            offset,
            bytes,
            damage: None,
        });
    }
}

/// A line without an end: the last, or one that is too long.
fn last(window: &mut Window, offset: u64) -> Option<Cut> {
    let length = window.data().len();
    if length >= MAX_RECORD_BYTES {
        let bytes = window.take_damaged(length);
        if window.skip_to(b"\n") {
            window.skip(1);
        }
        return Some(Cut {
            kind: RawKind::Json,
            offset,
            bytes,
            damage: Some(format!("the line is longer than {MAX_RECORD_BYTES} bytes")),
        });
    }
    if window.data().trim_ascii().is_empty() {
        window.skip(length);
        return None;
    }
    let damage = window
        .failure()
        .is_some()
        .then(|| window.cut_short("the line is cut short"));
    let bytes = window.take(length);
    Some(Cut {
        kind: RawKind::Json,
        offset,
        bytes,
        damage,
    })
}
