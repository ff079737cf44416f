//! Objects of a JSON array.

use super::window::Window;
use super::{Cut, MAX_RECORD_BYTES, RawKind};

/// How far the array has come.
#[derive(Default)]
pub(super) enum State {
    /// Before its bracket.
    #[default]
    Before,
    /// Among its items.
    Within,
    /// Behind it.
    Behind,
}

/// The next object, without the commas around it.
pub(super) fn next(window: &mut Window, state: &mut State) -> Option<Cut> {
    window.skip_byte_order_mark();
    loop {
        let Some(byte) = window.byte(0) else {
            // A stream that broke off is said where it ends.
            let is_open = matches!(state, State::Within) && window.failure().is_none();
            *state = State::Behind;
            return is_open.then(|| stray(window, 0, "the array has no end"));
        };
        match (byte, &*state) {
            (b' ' | b'\t' | b'\r' | b'\n', _) | (b',', State::Within) => window.skip(1),
            (b'[', State::Before) => {
                *state = State::Within;
                window.skip(1);
            }
            (b']', State::Within) => {
                *state = State::Behind;
                window.skip(1);
            }
            (b'{', State::Within) => {
                let object = object(window);
                if object.damage.is_some() {
                    // Nothing is left behind it.
                    *state = State::Behind;
                }
                return Some(object);
            }
            (_, State::Within) => return Some(other(window)),
            (_, State::Before | State::Behind) => {
                let length = window.find_byte(b'\n', 0, MAX_RECORD_BYTES);
                let length = length.unwrap_or(window.data().len());
                return Some(stray(window, length, "this is no part of the array"));
            }
        }
    }
}

fn object(window: &mut Window) -> Cut {
    let (mut depth, mut quoted, mut place) = (0_usize, false, 0);
    let end = loop {
        if place >= MAX_RECORD_BYTES {
            break None;
        }
        let Some(byte) = window.byte(place) else {
            break None;
        };
        place += 1;
        match byte {
            b'\\' if quoted => place += 1,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    break Some(place);
                }
            }
            _ => {}
        }
    };
    let offset = window.offset();
    let Some(end) = end else {
        let length = window.data().len();
        let damage = if length >= MAX_RECORD_BYTES {
            format!("the object is longer than {MAX_RECORD_BYTES} bytes; the rest is not read")
        } else {
            window.cut_short("the object is cut short")
        };
        let bytes = window.take_damaged(length);
        // Where the next one begins cannot be known inside a text.
        while window.fill() {
            window.skip(window.data().len());
        }
        return Cut {
            kind: RawKind::Item,
            offset,
            bytes,
            damage: Some(damage),
        };
    };
    Cut {
        kind: RawKind::Item,
        offset,
        bytes: window.take(end),
        damage: None,
    }
}

/// An item that is no object, up to the comma or bracket behind it.
fn other(window: &mut Window) -> Cut {
    let mut end = 0;
    while end < MAX_RECORD_BYTES
        && window
            .byte(end)
            .is_some_and(|byte| !matches!(byte, b',' | b']'))
    {
        end += 1;
    }
    // A bracket at the very beginning is dealt with before.
    stray(window, end.max(1), "an item of the array is no object")
}

fn stray(window: &mut Window, length: usize, damage: &str) -> Cut {
    let offset = window.offset();
    Cut {
        kind: RawKind::Stray,
        offset,
        bytes: window.take_damaged(length),
        damage: Some(damage.to_owned()),
    }
}
