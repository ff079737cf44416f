//! The part of a stream that is being looked at.

use crate::record::Fault;
use std::io::{ErrorKind, Read};

const FILL_BYTES: usize = 1 << 18;

/// A buffer over a stream that knows where in the stream it is.
///
/// Positions are relative to the first byte that has not been taken. A failure
/// of the stream is its end; what came before it is still given.
pub(super) struct Window {
    input: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// First byte in `buffer` that has not been taken.
    head: usize,
    /// Where `buffer[head]` is in the stream.
    offset: u64,
    ended: bool,
    failure: Option<String>,
    failure_reported: bool,
}

impl Window {
    pub(super) fn new(input: Box<dyn Read + Send>) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            head: 0,
            offset: 0,
            ended: false,
            failure: None,
            failure_reported: false,
        }
    }

    /// What is buffered and not taken.
    pub(super) fn data(&self) -> &[u8] {
        &self.buffer[self.head..]
    }

    /// Where the data begins in the stream.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Why the stream ended before its time.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Whether a record has already been given with the failure as its damage.
    pub(super) fn failure_reported(&self) -> bool {
        self.failure_reported
    }

    /// Why a record that reaches to the end of the stream is not whole.
    pub(super) fn cut_short(&mut self, what: &str) -> String {
        match &self.failure {
            Some(failure) => {
                self.failure_reported = true;
                format!("{failure}, inside this record")
            }
            None => what.to_owned(),
        }
    }

    /// Reads more; `false` at the end of the stream.
    pub(super) fn fill(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if self.head > 0 && self.head >= self.buffer.len() / 2 {
            self.buffer.drain(..self.head);
            self.head = 0;
        }
        let length = self.buffer.len();
        self.buffer.resize(length + FILL_BYTES, 0);
        let count = loop {
            match self.input.read(&mut self.buffer[length..]) {
                Ok(count) => break count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error.to_string());
                    break 0;
                }
            }
        };
        self.buffer.truncate(length + count);
        self.ended = count == 0;
        count > 0
    }

    /// Makes sure that `length` bytes are there; `false` where the stream ends before.
    pub(super) fn ensure(&mut self, length: usize) -> bool {
        while self.data().len() < length {
            if !self.fill() {
                return false;
            }
        }
        true
    }

    /// A byte, reading on as needed.
    pub(super) fn byte(&mut self, place: usize) -> Option<u8> {
        self.ensure(place + 1).then(|| self.data()[place])
    }

    /// Moves past a mark at the very beginning that says it is UTF-8.
    pub(super) fn skip_byte_order_mark(&mut self) {
        if self.offset == 0 && self.ensure(3) && self.data().starts_with(b"\xef\xbb\xbf") {
            self.skip(3);
        }
    }

    /// Moves past bytes.
    pub(super) fn skip(&mut self, length: usize) {
        let length = length.min(self.data().len());
        self.head += length;
        self.offset += length as u64;
    }

    /// Moves to the next place of a sequence, holding no more than a buffer of
    /// what is passed over; `false` where the stream ends before.
    pub(super) fn skip_to(&mut self, what: &[u8]) -> bool {
        loop {
            if let Some(place) = memchr::memmem::find(self.data(), what) {
                self.skip(place);
                return true;
            }
            self.skip((self.data().len() + 1).saturating_sub(what.len()));
            if !self.fill() {
                self.skip(self.data().len());
                return false;
            }
        }
    }

    /// Takes bytes, all of them.
    pub(super) fn take(&mut self, length: usize) -> Vec<u8> {
        let bytes = self.data()[..length.min(self.data().len())].to_vec();
        self.skip(length);
        bytes
    }

    /// Moves past bytes of a damaged record and gives the first of them.
    pub(super) fn take_damaged(&mut self, length: usize) -> Vec<u8> {
        let kept = length.min(Fault::MAX_RAW_BYTES).min(self.data().len());
        let bytes = self.data()[..kept].to_vec();
        self.skip(length);
        bytes
    }

    /// First place of a byte at or after `from`, reading on as needed, but not
    /// beyond `limit`.
    pub(super) fn find_byte(&mut self, byte: u8, from: usize, limit: usize) -> Option<usize> {
        self.find(from, limit, 1, |data| memchr::memchr(byte, data))
    }

    /// First place of a sequence at or after `from`, reading on as needed, but
    /// not beyond `limit`.
    pub(super) fn find_bytes(&mut self, what: &[u8], from: usize, limit: usize) -> Option<usize> {
        self.find(from, limit, what.len(), |data| {
            memchr::memmem::find(data, what)
        })
    }

    fn find(
        &mut self,
        mut from: usize,
        limit: usize,
        length: usize,
        search: impl Fn(&[u8]) -> Option<usize>,
    ) -> Option<usize> {
        loop {
            let data = self.data();
            let end = data.len().min(limit);
            if let Some(place) = data.get(from..end).and_then(&search) {
                return Some(from + place);
            }
            // Two halves of what is sought may lie on either side of the end.
            from = from.max((end + 1).saturating_sub(length));
            if end == limit || !self.fill() {
                return None;
            }
        }
    }
}
