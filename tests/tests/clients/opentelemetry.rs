//! What an OpenTelemetry collector gets of a search, read with OpenTelemetry's own
//! definition of its messages.

use medsift_tests::{Workspace, python, sample};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::thread;

/// The trace and the span that the client of the search is in.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

#[test]
fn a_collector_gets_the_stages_of_a_search_within_its_clients_trace() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let collector = Collector::start(work.join("traces"));
    let mut running = work
        .medsift(["serve", "--port", "0"])
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.address)
        .start();
    let address = running.address();
    let answer = ask(&address, "/v1/search?q=secret+statins&mode=hybrid");
    assert!(answer.contains(" 200 "), "{answer}");
    // What was not sent yet is sent at the end.
    running.signal("INT");
    let _ = running.wait().expect(0);

    let folder = work.join("traces").display().to_string();
    let read = python(
        &work,
        "tests/clients/read_traces.py",
        &[&folder, TRACE, PARENT],
    );
    let _ = read.expect(0).prints(&["ok"]);
}

#[test]
fn a_search_is_answered_where_no_collector_is() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let nobody = TcpListener::bind("127.0.0.1:0").expect("a port");
    let free = nobody.local_addr().expect("an address");
    drop(nobody);
    let mut running = work
        .medsift(["serve", "--port", "0"])
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{free}"))
        .start();
    let address = running.address();
    assert!(ask(&address, "/v1/search?q=statins").contains(" 200 "));
    running.signal("INT");
    let _ = running.wait().expect(0).says(&["traces are not delivered"]);
}

fn ask(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the server answers");
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         traceparent: 00-{TRACE}-{PARENT}-01\r\n\r\n"
    )
    .expect("a request can be sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// Keeps the body of every request in a file of its own.
struct Collector {
    address: String,
}

impl Collector {
    fn start(folder: PathBuf) -> Self {
        fs::create_dir_all(&folder).expect("a folder");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        thread::spawn(move || {
            for (number, stream) in listener.incoming().flatten().enumerate() {
                keep(stream, &folder.join(format!("{number}.bin")));
            }
        });
        Self { address }
    }
}

fn keep(mut stream: TcpStream, path: &std::path::Path) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).expect("a head") > 0 {}
    assert!(head.starts_with("POST /v1/traces "), "{head}");
    let length = head
        .lines()
        .find_map(|line| {
            line.to_lowercase()
                .strip_prefix("content-length:")?
                .trim()
                .parse()
                .ok()
        })
        .expect("a length");
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    fs::write(path, body).expect("a file");
    stream
        .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        .expect("an answer");
}
