//! A server on a free port, and just enough of HTTP/1.1 to talk to it.

use medsift::index::Index;
use medsift_server::{ServerConfig, bind, serve};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::oneshot;

/// A running server; stops when dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Server {
    /// Starts on a port of the system's choosing.
    pub(crate) fn start(index: Arc<Index>, config: ServerConfig) -> Self {
        let config = ServerConfig {
            bind: "127.0.0.1:0".parse().unwrap(),
            ..config
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(bind(&config)).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            let shutdown = async move {
                let _ = stopped.await;
            };
            runtime
                .block_on(serve(listener, index, config, shutdown))
                .unwrap();
        });
        Self {
            address,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &[u8]) -> Answer {
        self.send("POST", path, &[("content-type", "application/json")], body)
    }

    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses a body may hang up before it has read it all.
        let _ = stream.write_all(body);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        Answer::parse(&bytes)
    }

    /// Asks the server to stop and waits until it has.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            if !thread::panicking() {
                ended.unwrap();
            }
        }
    }
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap_or_else(|| panic!("no head in {:?}", String::from_utf8_lossy(bytes)));
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        let headers = lines
            .map(|line| line.split_once(": ").unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        Self {
            status: status.parse().unwrap(),
            headers,
            body: bytes[end + 4..].to_vec(),
        }
    }

    /// Every value of a header, joined as HTTP allows.
    pub(crate) fn header(&self, name: &str) -> String {
        let values = self.headers.iter().filter(|(given, _)| given == name);
        let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
        values.join(", ")
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// Code and field of an error, whose shape is checked.
    pub(crate) fn error(&self) -> (String, Option<String>) {
        assert!(self.status >= 400, "{} is no error", self.status);
        assert_eq!(self.header("content-type"), "application/json");
        let json = self.json();
        let error = json["error"].as_object().unwrap();
        let names: Vec<&str> = error.keys().map(String::as_str).collect();
        assert_eq!(names, ["code", "field", "message"]);
        assert!(!error["message"].as_str().unwrap().is_empty());
        let field = error["field"].as_str().map(str::to_owned);
        (error["code"].as_str().unwrap().to_owned(), field)
    }
}
