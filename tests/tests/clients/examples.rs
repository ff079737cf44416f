//! The examples of the documentation, as they stand there.

use crate::served;
use medsift_tests::python;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// A chat endpoint on this machine that answers every question alike and tells
/// what it was asked.
fn chat() -> (String, Receiver<Value>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("an address");
    let (asked, questions) = channel();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let body = reply(stream).expect("a request of a chat client");
            if asked.send(body).is_err() {
                return;
            }
        }
    });
    (format!("http://{address}/v1"), questions)
}

fn reply(stream: TcpStream) -> std::io::Result<Value> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    let mut line = String::new();
    reader.read_line(&mut line)?;
    assert!(line.starts_with("POST /v1/chat/completions "), "{line}");
    while !line.trim().is_empty() {
        line.clear();
        reader.read_line(&mut line)?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let answer = json!({
        "id": "1", "object": "chat.completion", "created": 1, "model": "stand-in",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {
            "role": "assistant", "content": "They rarely do [1].",
        }}],
    })
    .to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\
         content-length: {}\r\n\r\n",
        answer.len()
    );
    let mut stream = reader.into_inner();
    stream.write_all(head.as_bytes())?;
    stream.write_all(answer.as_bytes())?;
    Ok(serde_json::from_slice(&body)?)
}

#[test]
fn the_loop_puts_passages_before_the_question_and_cites_them() {
    let (work, _running, server) = served();
    let (endpoint, questions) = chat();
    let question = "Do statins cause muscle pain?";
    let arguments = [
        "--server", &server, "--chat", &endpoint, "--model", "stand-in",
    ];
    let arguments = [&arguments[..], &["--budget", "300", question]].concat();
    let done = python(&work, "docs/examples/rag_loop.py", &arguments).expect(0);
    assert!(
        done.stdout.starts_with("They rarely do [1].\n\n[1] "),
        "{done:#?}"
    );
    let asked = questions.recv().expect("a question");
    assert_eq!(asked["model"], "stand-in");
    let prompt = asked["messages"][1]["content"].as_str().expect("a prompt");
    assert!(prompt.starts_with("[1] ") && prompt.ends_with(&format!("Question: {question}")));
    let same = work
        .medsift([
            "passages",
            question,
            "--budget",
            "300",
            "--count-citations",
            "--json",
        ])
        .run()
        .expect(0)
        .json();
    let passages = same["passages"].as_array().expect("passages");
    assert!(!passages.is_empty());
    for passage in passages {
        assert!(
            prompt.contains(passage["text"].as_str().expect("a text")),
            "{prompt}"
        );
        let citation = passage["citation"].as_str().expect("a citation");
        assert!(done.stdout.contains(citation), "{done:#?}");
    }
}

#[test]
fn retrievers_of_other_libraries_give_the_same_passages() {
    let (work, _running, server) = served();
    let question = "statins and muscle pain";
    let same = work
        .medsift(["passages", question, "--not-retracted", "--json"])
        .run()
        .expect(0)
        .json();
    let passages = same["passages"].as_array().expect("passages");
    assert!(passages.len() > 3, "{same:#}");
    let expected: String = passages
        .iter()
        .map(|one| {
            let part = |name: &str| one[name].as_str().expect("a text").to_owned();
            format!("{}\n  {}\n\n", part("text"), part("citation"))
        })
        .collect();
    for script in ["langchain_retriever.py", "llamaindex_retriever.py"] {
        let script = format!("docs/examples/{script}");
        let done = python(&work, &script, &[&server, question]).expect(0);
        assert_eq!(done.stdout, expected, "{script}");
    }
}

#[test]
fn publications_are_plotted_by_year() {
    let (work, _running, server) = served();
    let arguments = [server.as_str(), "patients", "years.png"];
    let done = python(&work, "docs/examples/publications_per_year.py", &arguments).expect(0);
    let rows = done.stdout.lines().filter_map(|line| line.split_once('\t'));
    let counts: Vec<(i32, u64)> = rows
        .map(|(year, count)| {
            (
                year.parse().expect("a year"),
                count.parse().expect("a number"),
            )
        })
        .collect();
    assert!(
        counts.windows(2).all(|two| two[0].0 + 1 == two[1].0),
        "{counts:?}"
    );
    let found = work
        .run("search patients --mode keyword --facets year --json")
        .expect(0)
        .json();
    let years = found["facets"]["year"].as_array().expect("years");
    let all: u64 = years
        .iter()
        .map(|one| one["articles"].as_u64().expect("a number"))
        .sum();
    assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), all);
    let image = std::fs::read(work.join("years.png")).expect("an image");
    assert!(image.starts_with(b"\x89PNG") && image.len() > 1000);
}
