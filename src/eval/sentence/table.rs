//! Tables of tab-separated columns under a header, plain or gzip.

use crate::error::{Error, ErrorKind, Result};
use flate2::read::MultiGzDecoder;
use std::fmt::Display;
use std::fs;
use std::io::Read;
use std::path::Path;

/// The cells that were asked for, of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record<const N: usize> {
    /// Counted from 1, the header included.
    pub(super) line: usize,
    /// In the order of the columns that were asked for.
    pub(super) cells: [String; N],
}

/// Reads the columns with these names; each may have several, of which the
/// first that is there counts. Empty lines are passed over.
pub(super) fn read<const N: usize>(path: &Path, columns: [&[&str]; N]) -> Result<Vec<Record<N>>> {
    let text = content(path)?;
    let mut lines = (1..).zip(text.lines());
    let Some((_, header)) = lines.next() else {
        return Err(fault(path, 1, "the file is empty; a header is needed"));
    };
    let header: Vec<&str> = header.split('\t').map(str::trim).collect();
    let mut places = [0; N];
    for (place, names) in places.iter_mut().zip(columns) {
        let found = names
            .iter()
            .find_map(|name| header.iter().position(|column| column == name));
        *place = found.ok_or_else(|| {
            let wanted = names.join(" or ");
            let there = header.join(", ");
            fault(path, 1, format!("no column {wanted}; there are: {there}"))
        })?;
    }
    let mut records = Vec::new();
    for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        let cells: Vec<&str> = text.split('\t').collect();
        if cells.len() != header.len() {
            let what = format!(
                "{} columns, where the header has {}",
                cells.len(),
                header.len()
            );
            return Err(fault(path, line, what));
        }
        if let Some(&empty) = places.iter().find(|&&place| cells[place].trim().is_empty()) {
            let what = format!("the column {} is empty", header[empty]);
            return Err(fault(path, line, what));
        }
        records.push(Record {
            line,
            cells: places.map(|place| cells[place].trim().to_owned()),
        });
    }
    if records.is_empty() {
        return Err(fault(path, 2, "nothing behind the header"));
    }
    Ok(records)
}

/// A fault of one line.
pub(crate) fn fault(path: &Path, line: usize, what: impl Display) -> Error {
    Error::new(
        ErrorKind::InvalidInput,
        format!("{}, line {line}: {what}", path.display()),
    )
}

/// The text of a file; what is gzip is unpacked, whatever its name.
pub(crate) fn content(path: &Path) -> Result<String> {
    let mut bytes = fs::read(path).map_err(|error| Error::io("read", path, error))?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(bytes.as_slice())
            .read_to_end(&mut unpacked)
            .map_err(|error| Error::corrupt(path, error))?;
        bytes = unpacked;
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid]
            .iter()
            .filter(|&&b| b == b'\n')
            .count();
        fault(path, line, "not UTF-8; convert the file first")
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn written(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    fn two(bytes: &[u8]) -> Result<Vec<Record<2>>> {
        read(written(bytes).path(), [&["b", "bee"], &["a"]])
    }

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let records = two(b"x\ta\tbee\r\n1\t2\t3\r\n\r\n4\t 5 \t6\r\n").unwrap();
        assert_eq!(records.len(), 2);
        assert_eq!(records[0].cells, ["3", "2"]);
        assert_eq!((records[1].line, &records[1].cells[1][..]), (4, "5"));
    }

    #[test]
    fn gzip_is_known_by_its_bytes() {
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"a\tb\n1\t2\n").unwrap();
        let bytes = gzip.finish().unwrap();
        assert_eq!(two(&bytes).unwrap()[0].cells, ["2", "1"]);
        let error = two(&bytes[..bytes.len() - 6]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
    }

    #[test]
    fn faults_name_the_line() {
        for (bytes, parts) in [
            (&b""[..], ["line 1", "empty"]),
            (b"a\tc\n1\t2\n", ["line 1", "no column b or bee"]),
            (b"a\tb\n1\t2\n1\n", ["line 3", "1 columns"]),
            (b"a\tb\n1\t2\n1\t \n", ["line 3", "column b is empty"]),
            (b"a\tb\n", ["line 2", "nothing"]),
            (b"a\tb\n1\t2\n\xff\t2\n", ["line 3", "UTF-8"]),
        ] {
            let message = two(bytes).unwrap_err().to_string();
            for part in parts {
                assert!(message.contains(part), "{message}");
            }
        }
    }
}
