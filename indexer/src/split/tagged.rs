//! Records of MEDLINE tagged text: lines up to a blank line or the next `PMID-`.

use super::window::Window;
use super::{Cut, MAX_RECORD_BYTES, RawKind};

/// The next record: from a line that is not blank to the blank line, or to the
/// `PMID` line of the record that follows without one.
///
/// NLM parts records by a blank line; a record whose first line is a `PMID`
/// line ends before the next such line too, since some exports leave the blank
/// line out.
pub(super) fn next(window: &mut Window) -> Option<Cut> {
    if window.offset() == 0 && window.ensure(3) && window.data().starts_with(b"\xef\xbb\xbf") {
        window.skip(3);
    }
    skip_blank_lines(window);
    let offset = window.offset();
    let mut end = 0;
    loop {
        let line_end = match window.find_byte(b'\n', end, MAX_RECORD_BYTES) {
            Some(newline) => newline + 1,
            None => window.data().len(),
        };
        let line = &window.data()[end..line_end];
        let blank = line.trim_ascii().is_empty();
        if blank || (end > 0 && is_pmid_line(line)) {
            break;
        }
        end = line_end;
        if end >= MAX_RECORD_BYTES {
            return Some(too_long(window, offset));
        }
        if !window.data()[..end].ends_with(b"\n") {
            break;
        }
    }
    if end == 0 {
        return None;
    }
    let at_end = end == window.data().len() && window.failure().is_some();
    let damage = at_end.then(|| window.cut_short("the record is cut short"));
    Some(Cut {
        kind: RawKind::Nbib,
        offset,
        bytes: window.take(end),
        damage,
    })
}

fn is_pmid_line(line: &[u8]) -> bool {
    line.starts_with(b"PMID") && line[4..].trim_ascii_start().starts_with(b"-")
}

fn skip_blank_lines(window: &mut Window) {
    loop {
        let data = window.data();
        let blank = data.len() - data.trim_ascii_start().len();
        // Blanks before the first letter of a line belong to that line.
        let kept = data[..blank]
            .iter()
            .rev()
            .take_while(|&&b| b == b' ' || b == b'\t')
            .count();
        let all = blank == data.len();
        window.skip(if all { blank } else { blank - kept });
        if !all || !window.fill() {
            return;
        }
    }
}

fn too_long(window: &mut Window, offset: u64) -> Cut {
    let bytes = window.take_damaged(window.data().len());
    while window.skip_to(b"\nPMID") {
        window.skip(1);
        if window.ensure(6) && is_pmid_line(&window.data()[..6]) {
            break;
        }
    }
    Cut {
        kind: RawKind::Nbib,
        offset,
        bytes,
        damage: Some(format!(
            "the record is longer than {MAX_RECORD_BYTES} bytes"
        )),
    }
}
