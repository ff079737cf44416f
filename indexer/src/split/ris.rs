//! References of RIS: lines from `TY` to `ER`, or to the next `TY`.

use super::window::Window;
use super::{Cut, MAX_RECORD_BYTES, RawKind};
use crate::reference::ris_tag;

/// The next reference. What some programs write about themselves before the
/// first one is passed over; lines between references that belong to none are
/// stray.
pub(super) fn next(window: &mut Window) -> Option<Cut> {
    window.skip_byte_order_mark();
    let is_first = window.offset() <= 3;
    let mut end = 0;
    let mut inside = false;
    loop {
        let line_end = match window.find_byte(b'\n', end, MAX_RECORD_BYTES) {
            Some(newline) => newline + 1,
            None => window.data().len().min(MAX_RECORD_BYTES),
        };
        let line = &window.data()[end..line_end];
        let tag = ris_tag(line).map(|(tag, _)| tag);
        let ends = line_end == end || line_end >= MAX_RECORD_BYTES;
        match tag {
            Some(b"TY") if inside => return Some(cut(window, end)),
            Some(b"TY") if end == 0 => inside = true,
            // Lines before it are its preface, or stray.
            Some(b"TY") if is_first => {
                window.skip(end);
                end = 0;
                continue;
            }
            Some(b"TY") => return Some(stray(window, end)),
            Some(b"ER") if inside => return Some(cut(window, line_end)),
            _ if !inside && line.trim_ascii().is_empty() && !ends => {
                if end > 0 && !is_first {
                    return Some(stray(window, end));
                }
                if end == 0 {
                    window.skip(line_end);
                    continue;
                }
            }
            _ => {}
        }
        if ends {
            let length = window.data().len().min(MAX_RECORD_BYTES);
            return match (inside, length) {
                (_, 0) => None,
                (true, _) => Some(cut(window, length)),
                (false, _) => Some(stray(window, length)),
            };
        }
        end = line_end;
    }
}

fn cut(window: &mut Window, end: usize) -> Cut {
    let offset = window.offset();
    let too_long = end >= MAX_RECORD_BYTES;
    let at_end = end == window.data().len() && window.failure().is_some();
    let damage = if too_long {
        Some(format!(
            "the reference is longer than {MAX_RECORD_BYTES} bytes"
        ))
    } else {
        at_end.then(|| window.cut_short("the reference is cut short"))
    };
    Cut {
        kind: RawKind::Ris,
        offset,
        bytes: match too_long {
            true => window.take_damaged(end),
            false => window.take(end),
        },
        damage,
    }
}

fn stray(window: &mut Window, end: usize) -> Cut {
    let offset = window.offset();
    Cut {
        kind: RawKind::Stray,
        offset,
        bytes: window.take_damaged(end),
        damage: Some("lines outside of a reference (TY to ER)".to_owned()),
    }
}
