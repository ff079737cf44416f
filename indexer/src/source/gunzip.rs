//! Plain or gzip files as one decompressed stream.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Reads a file that may be gzip with any number of members (RFC 1952).
///
/// Which it is, the first two bytes say, not the name. Zero bytes after the
/// last member are padding and are ignored, as gzip itself does; anything else
/// there is an error. Errors come after all bytes that could be decompressed.
pub(crate) struct Gunzip<R> {
    state: State<R>,
}

enum State<R> {
    Start(R),
    Plain(R),
    Member(Box<GzDecoder<R>>),
    Between(R),
    Done,
}

impl<R: BufRead> Gunzip<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            state: State::Start(input),
        }
    }

    /// Moves from a boundary to the member that follows, or to the end.
    fn at_boundary(mut input: R, first: bool) -> io::Result<State<R>> {
        loop {
            let ahead = input.fill_buf()?;
            let padding = ahead.iter().take_while(|&&byte| byte == 0).count();
            match ahead {
                [] => return Ok(State::Done),
                [0x1f, 0x8b, ..] => return Ok(State::Member(Box::new(GzDecoder::new(input)))),
                // The buffer may end between the two bytes of the magic number.
                [0x1f] if !first => return Ok(State::Member(Box::new(GzDecoder::new(input)))),
                _ if first => return Ok(State::Plain(input)),
                _ if padding > 0 => input.consume(padding),
                _ => {
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidData,
                        "bytes that are not gzip follow the compressed data",
                    ));
                }
            }
        }
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            self.state = match std::mem::replace(&mut self.state, State::Done) {
                State::Start(input) => Self::at_boundary(input, true)?,
                State::Between(input) => Self::at_boundary(input, false)?,
                State::Plain(mut input) => {
                    let read = input.read(buffer);
                    self.state = State::Plain(input);
                    return read;
                }
                State::Member(mut member) => match member.read(buffer) {
                    Ok(0) => State::Between(member.into_inner()),
                    Ok(count) => {
                        self.state = State::Member(member);
                        return Ok(count);
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                        self.state = State::Member(member);
                        return Err(error);
                    }
                    Err(error) => return Err(describe(error)),
                },
                State::Done => return Ok(0),
            };
        }
    }
}

fn describe(error: io::Error) -> io::Error {
    let what = match error.kind() {
        io::ErrorKind::UnexpectedEof => "the gzip stream is cut short".to_owned(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            format!("the gzip stream is corrupt ({error})")
        }
        _ => return error,
    };
    io::Error::new(error.kind(), what)
}

/// Whether a file that begins so is gzip.
pub(crate) fn is_gzip(beginning: &[u8]) -> bool {
    beginning.starts_with(&MAGIC)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::{BufReader, Write};

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// What could be read, and how reading ended.
    fn gunzip(bytes: &[u8], buffer: usize) -> (Vec<u8>, io::Result<usize>) {
        let mut out = Vec::new();
        let result = Gunzip::new(BufReader::with_capacity(buffer, bytes)).read_to_end(&mut out);
        (out, result)
    }

    #[test]
    fn several_members_are_one_stream() {
        let bytes = [gzip(b"one "), gzip(b""), gzip(b"two"), vec![0; 700]].concat();
        for buffer in [2, 7, 4096] {
            let (text, result) = gunzip(&bytes, buffer);
            assert_eq!(text, b"one two");
            assert_eq!(result.unwrap(), 7);
        }
    }

    #[test]
    fn plain_files_pass_through() {
        for plain in [&b"<a/>"[..], b"", b"\x1f", b"\0\0"] {
            assert_eq!(gunzip(plain, 4096).0, plain);
        }
    }

    #[test]
    fn a_cut_stream_keeps_what_came_before() {
        let text: Vec<u8> = (0..200_000u32)
            .flat_map(|n| n.wrapping_mul(2654435761).to_le_bytes())
            .collect();
        let whole = gzip(&text);
        let (read, result) = gunzip(&whole[..whole.len() / 2], 4096);
        assert!(read.len() > text.len() / 3 && text.starts_with(&read));
        assert!(result.unwrap_err().to_string().contains("cut short"));
    }

    #[test]
    fn damage_and_foreign_bytes_are_reported() {
        let mut broken = gzip(b"some text that is long enough to be compressed");
        let checksum = broken.len() - 6;
        broken[checksum] ^= 0xff;
        let (text, result) = gunzip(&broken, 4096);
        assert_eq!(text, b"some text that is long enough to be compressed");
        assert!(result.unwrap_err().to_string().contains("corrupt"));

        let (text, result) = gunzip(&[gzip(b"x"), b"junk".to_vec()].concat(), 4096);
        assert_eq!(text, b"x");
        assert!(result.unwrap_err().to_string().contains("not gzip"));
    }
}
