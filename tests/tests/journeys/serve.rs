//! The server through the command line.

use medsift_tests::{Workspace, sample, tiny_model};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

/// Asks a server for a path and gives the whole answer.
pub(crate) fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the server answers");
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .expect("a request can be sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn serve_answers_until_it_is_stopped() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let mut running = work.medsift(["serve", "--port", "0"]).start();
    let address = running.address();
    assert!(get(&address, "/health").contains(" 200 "));
    let answer = get(&address, "/v1/search?q=statins&mode=keyword");
    assert!(answer.contains("990000001"), "{answer}");
    assert!(get(&address, "/").contains("<html"));
    assert!(get(&address, "/articles/990000003").contains("Cited by (1)"));
    running.signal("INT");
    let _ = running.wait().expect(0);
}

/// One line a request, for programs that read logs: with its id, without the query.
#[test]
fn a_server_logs_its_requests() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let mut running = work
        .medsift(["serve", "--port", "0", "--log-format", "json"])
        .env("MEDSIFT_LOG", "medsift_server=info")
        .start();
    let address = running.address();
    let answer = get(&address, "/v1/search?q=statins&mode=keyword");
    running.signal("INT");
    let log = running.wait().expect(0).stderr;
    let id = answer
        .lines()
        .find_map(|line| line.strip_prefix("x-request-id: "))
        .expect("an answer has an id");
    let line = log
        .lines()
        .filter(|line| *line != "press Ctrl-C to stop")
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect(line))
        .find(|line| line["span"]["id"] == id)
        .unwrap_or_else(|| panic!("no line has the id {id}: {log}"));
    assert_eq!(line["level"], "INFO");
    assert_eq!(line["path"], "/v1/search");
    assert_eq!(line["status"], 200);
    assert!(!log.contains("statins"), "{log}");
    let unset = work.medsift(["stats"]).env("MEDSIFT_LOG_FORMAT", "");
    let _ = unset.run().expect(0);
    let refused = work.run("stats --log-format xml").expect(2);
    let _ = refused.says(&["xml", "use text or json"]);
}

/// Clients that connected before the signal are served, though the server has
/// not accepted them: it is held still while they connect.
#[test]
#[cfg(unix)]
fn whoever_was_connected_before_the_signal_is_answered() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    for signal in ["TERM", "INT"] {
        let mut running = work.medsift(["serve", "--port", "0"]).start();
        let address = running.address();
        assert!(get(&address, "/health").contains(" 200 "));
        running.signal("STOP");
        let mut waiting: Vec<TcpStream> = (0..5)
            .map(|_| TcpStream::connect(&address).expect("the system answers"))
            .collect();
        for stream in &mut waiting {
            let request = "GET /v1/search?q=statins&mode=keyword HTTP/1.1\r\n\
                           Host: localhost\r\nConnection: close\r\n\r\n";
            stream.write_all(request.as_bytes()).expect("a request");
        }
        running.signal(signal);
        running.signal("CONT");
        for stream in &mut waiting {
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("an answer");
            assert!(answer.contains("990000001"), "{signal}: {answer:?}");
        }
        let _ = running.wait().expect(0);
        assert!(TcpStream::connect(&address).is_err());
    }
}

/// Where the model has gone, words can still be searched over HTTP.
#[test]
fn serve_without_its_model_searches_words_and_says_so() {
    let work = Workspace::new();
    let model = work.join("model");
    fs::create_dir_all(model.join("1_Pooling")).expect("a folder");
    for name in [
        "1_Pooling/config.json",
        "config.json",
        "config_sentence_transformers.json",
        "model.safetensors",
        "modules.json",
        "sentence_bert_config.json",
        "tokenizer.json",
        "tokenizer_config.json",
    ] {
        fs::copy(tiny_model().join(name), model.join(name)).expect("a copy");
    }
    work.medsift(["index", "--model", "model"])
        .arg(sample("medsift-sample.xml"))
        .run()
        .expect(0);
    fs::remove_dir_all(&model).expect("the model can go");
    let mut running = work.medsift(["serve", "--port", "0"]).start();
    let address = running.address();
    let answer = get(&address, "/v1/search?q=statins");
    assert!(answer.contains("990000001"), "{answer}");
    assert!(answer.contains("only the words were searched"), "{answer}");
    let refused = get(&address, "/v1/search?q=statins&mode=semantic");
    assert!(refused.contains(" 400 ") && refused.contains("--model DIR"));
    running.signal("INT");
    running
        .wait()
        .expect(0)
        .says(&["only words can be searched", "--model DIR"]);
}

#[test]
fn serve_sees_what_is_indexed_meanwhile() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let mut running = work.medsift(["serve", "--port", "0"]).start();
    let address = running.address();
    let path = "/v1/articles/990000081";
    assert!(get(&address, path).contains(" 404 "));
    work.index(&[&sample("medsift-sample-update.xml")]);
    assert!(get(&address, path).contains(" 200 "));
    running.signal("TERM");
    let _ = running.wait().expect(0);
}

#[test]
fn a_port_in_use_names_the_remedy_before_anything_is_loaded() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample-2014.xml")]);
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let port = taken.local_addr().expect("an address").port();
    work.run(&format!("serve --port {port}")).expect(1).says(&[
        &port.to_string(),
        "in use",
        "--port",
    ]);
}

#[test]
fn demo_serves_the_sample() {
    let work = Workspace::new();
    let mut running = work
        .medsift(["demo", "--port", "0", "--model"])
        .arg(tiny_model())
        .start();
    let address = running.address();
    assert!(get(&address, "/v1/search?q=malaria").contains("990000018"));
    assert!(work.join("home/.local/share/medsift/demo/idx").is_dir());
    running.signal("INT");
    let _ = running.wait().expect(0);
}
