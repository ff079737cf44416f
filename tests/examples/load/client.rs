//! As much of HTTP/1.1 as asking a server takes: one connection that is used
//! again, bodies by length, in chunks, or up to the end.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Longest time for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// JSON; empty for none.
    pub(crate) body: String,
}

impl Request {
    /// A line `METHOD PATH [BODY]`.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let mut parts = line.trim().splitn(3, ' ');
        Some(Self {
            method: parts.next()?.to_owned(),
            path: parts
                .next()
                .filter(|path| path.starts_with('/'))?
                .to_owned(),
            body: parts.next().unwrap_or_default().to_owned(),
        })
    }

    /// What kind of request it is: its path without numbers and parameters.
    pub(crate) fn kind(&self) -> String {
        let path = self.path.split('?').next().unwrap_or_default();
        let name = |part: &str| match part.bytes().any(|byte| byte.is_ascii_digit()) && part != "v1"
        {
            true => "{id}".to_owned(),
            false => part.to_owned(),
        };
        let parts: Vec<String> = path.split('/').map(name).collect();
        format!("{} {}", self.method, parts.join("/"))
    }
}

/// One client with its connection.
pub(crate) struct Client {
    address: String,
    stream: Option<BufReader<TcpStream>>,
}

impl Client {
    pub(crate) fn new(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            stream: None,
        }
    }

    /// Asks, reads the whole answer, and gives its status.
    pub(crate) fn ask(&mut self, request: &Request) -> io::Result<u16> {
        // A server may close a connection that was idle; once is tried again.
        if self.stream.is_some()
            && let Ok(status) = self.exchange(request)
        {
            return Ok(status);
        }
        let stream = TcpStream::connect(&self.address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        self.stream = Some(BufReader::new(stream));
        self.exchange(request)
    }

    fn exchange(&mut self, request: &Request) -> io::Result<u16> {
        let Some(mut stream) = self.stream.take() else {
            return Err(io::ErrorKind::NotConnected.into());
        };
        let Request { method, path, body } = request;
        let kind = match body.is_empty() {
            true => "",
            false => "Content-Type: application/json\r\n",
        };
        let message = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{kind}Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.get_mut().write_all(message.as_bytes())?;
        let (status, again) = read_answer(&mut stream)?;
        if again {
            self.stream = Some(stream);
        }
        Ok(status)
    }
}

enum Length {
    Known(u64),
    Chunked,
    ToTheEnd,
}

/// Status of an answer, and whether the connection can be used again.
fn read_answer(stream: &mut impl BufRead) -> io::Result<(u16, bool)> {
    let first = line(stream)?;
    let status = first.split(' ').nth(1).and_then(|code| code.parse().ok());
    let status: u16 = status.ok_or_else(|| io::Error::other(format!("no status: {first:?}")))?;
    let (mut length, mut again) = (Length::ToTheEnd, true);
    loop {
        let header = line(stream)?.to_ascii_lowercase();
        let Some((name, value)) = header.split_once(':') else {
            break;
        };
        match (name, value.trim()) {
            ("content-length", value) => {
                length = Length::Known(value.parse().map_err(io::Error::other)?);
            }
            ("transfer-encoding", "chunked") => length = Length::Chunked,
            ("connection", "close") => again = false,
            _ => {}
        }
    }
    match length {
        Length::Known(bytes) => pass(stream, bytes)?,
        Length::Chunked => loop {
            let size = line(stream)?;
            let size = u64::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
            pass(stream, size)?;
            line(stream)?;
            if size == 0 {
                break;
            }
        },
        Length::ToTheEnd => {
            io::copy(stream, &mut io::sink())?;
            again = false;
        }
    }
    Ok((status, again))
}

fn line(stream: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}

fn pass(stream: &mut impl BufRead, bytes: u64) -> io::Result<()> {
    match io::copy(&mut stream.take(bytes), &mut io::sink())? == bytes {
        true => Ok(()),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<(u16, bool)> {
        let mut stream = text.as_bytes();
        let answer = read_answer(&mut stream)?;
        assert_eq!(stream, b"", "all of it is read");
        Ok(answer)
    }

    #[test]
    fn answers_of_every_kind_are_read_to_their_end() {
        let head = "HTTP/1.1 200 OK\r\n";
        let known = format!("{head}Content-Length: 3\r\n\r\nabc");
        assert_eq!(read(&known).unwrap(), (200, true));
        let chunked =
            format!("{head}transfer-encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n");
        assert_eq!(read(&chunked).unwrap(), (200, true));
        assert_eq!(read(&format!("{head}\r\nabc")).unwrap(), (200, false));
        assert!(read(&format!("{head}Content-Length: 4\r\n\r\nabc")).is_err());
    }

    #[test]
    fn kinds_have_no_numbers() {
        let kind = |line| Request::parse(line).unwrap().kind();
        assert_eq!(
            kind("GET /v1/articles/123?format=ris"),
            "GET /v1/articles/{id}"
        );
        assert_eq!(kind("POST /v1/search {\"q\": \"a b\"}"), "POST /v1/search");
        assert_eq!(Request::parse("GET"), None);
    }
}
