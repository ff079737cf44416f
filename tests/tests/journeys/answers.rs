//! Answers: heads are trained, measured, and asked out of an index.

use medsift_tests::{Medsift, Running, Workspace, sample, tiny_model};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

/// Questions about passages, a third of them without an answer, abstracts that
/// say yes or no, and configurations of both heads.
fn prepared() -> Workspace {
    let work = Workspace::new();
    let effects = ["muscle pain", "weakness", "fever"];
    let articles: Vec<Value> = (0..18)
        .map(|number| {
            let effect = effects[number % 3];
            let passage = format!("In {number} patients statins caused {effect}.");
            let start = passage.find(effect).expect("it is there");
            let silent = number % 3 == 2;
            let answers = match silent {
                true => json!([]),
                false => json!([{"text": effect, "answer_start": start}]),
            };
            let asked = if silent {
                "Who was asked?"
            } else {
                "What did statins cause?"
            };
            json!({"title": format!("T{number}"), "gold_answers": [effect], "paragraphs": [
                {"context": passage, "qas": [{"id": format!("q{number}"), "question": asked,
                  "answers": answers, "is_impossible": silent}]}]})
        })
        .collect();
    let file = json!({"version": "v2.0", "data": articles});
    work.write("questions.json", file.to_string());
    let records: serde_json::Map<String, Value> = (0..18)
        .map(|number| {
            let (label, word) = [("yes", "caused"), ("no", "never")][number % 2];
            let text = format!("In {number} patients they {word} pain.");
            let record = json!({"QUESTION": "Do statins cause pain?", "CONTEXTS": [text],
                                "final_decision": label});
            (number.to_string(), record)
        })
        .collect();
    work.write("abstracts.json", Value::Object(records).to_string());
    let stage = |output: &str, rest: &str| {
        format!(
            "output = {output:?}\n[base]\nmodel = {:?}\n[[stage]]\nname = {output:?}\nsteps = 30\n\
             batch = 6\nlearning_rate = 1e-2\ndropout = 0.0\nmax_tokens = 48\n\
             adapter = {{ rank = 4 }}\n{rest}",
            tiny_model()
        )
    };
    let answers = "kind = \"span\"\nobjective = { max_question = 12, max_answer = 6 }\n\
                   data = [{ files = [\"questions.json\"] }]\n\
                   evaluation.sets = [{ name = \"same\", kind = \"answers\", \
                   files = [\"questions.json\"] }]\n";
    work.write("answers.toml", stage("run", answers));
    let columns = "files = [\"abstracts.json\"], text = \"QUESTION\", text_pair = \"CONTEXTS\", \
                   label = \"final_decision\"";
    let verdict = format!(
        "kind = \"text\"\nobjective = {{ labels = [\"yes\", \"no\"], name = \"verdict\", \
         text_pair = true }}\ndata = [{{ {columns} }}]\n\
         evaluation.sets = [{{ name = \"same\", kind = \"labels\", {columns} }}]\n"
    );
    work.write("verdict.toml", stage("both", &verdict));
    work
}

/// Writes a threshold into the head for answers.
fn set_threshold(work: &Workspace, threshold: f64) {
    let path = work.join("both/model/heads/answers/config.json");
    let text = fs::read_to_string(&path).expect("the head is there");
    let mut config: Value = serde_json::from_str(&text).expect("JSON");
    config["threshold"] = threshold.into();
    fs::write(&path, config.to_string()).expect("it can be written");
}

/// With time enough to read all articles on a machine that is busy.
fn timed(command: Medsift) -> Medsift {
    command.env("MEDSIFT_SEARCH_ANSWER_BUDGET_MS", "600000")
}

#[test]
fn a_head_is_trained_and_measured() {
    let work = prepared();
    work.run("train check answers.toml")
        .expect(0)
        .prints(&["answers in passages", "18 examples"]);
    work.run("train run answers.toml")
        .expect(0)
        .says(&["same/f1"])
        .prints(&["score/same/exact", "run/model"]);
    let eval = "eval answers questions.json --model run/model";
    let report = work
        .run(&format!("{eval} --set-threshold --json"))
        .expect(0)
        .json();
    let scores = &report["results"][0];
    assert_eq!(report["head"], "answers");
    assert_eq!(
        (&scores["questions"], &scores["unanswerable"]),
        (&18.into(), &6.into())
    );
    assert_eq!(scores["f1"], scores["best"]["f1"], "{report:#}");
    assert_eq!(report["threshold"], scores["best"]["margin"]);
    work.run(eval).expect(0).prints(&[
        "head answers",
        "exact match",
        "6 without one",
        "best threshold",
    ]);
    let report = work
        .run(&format!("{eval} --bioasq --json"))
        .expect(0)
        .json();
    let scores = &report["results"][0];
    assert_eq!(scores["questions"], 18);
    assert!(scores["strict"].as_f64() <= scores["lenient"].as_f64());

    work.write(
        "given.json",
        r#"{"q0": "the muscle pain!", "q2": "", "q5": "x"}"#,
    );
    let report = work
        .run("eval answers questions.json --predictions given.json --json")
        .expect(0)
        .json();
    // One is right, of the silent ones all but one are.
    let exact = report["results"][0]["exact"].as_f64().expect("a number");
    assert!((exact - 6.0 / 18.0).abs() < 1e-12, "{report:#}");
    work.write(
        "bad.json",
        r#"{"data": [{"paragraphs": [{"context": "a", "qas": [{"id": 1}]}]}]}"#,
    );
    work.run("eval answers bad.json --model run/model")
        .expect(2)
        .says(&["bad.json", "question"]);
}

#[test]
fn questions_are_answered_out_of_an_index() {
    let work = prepared();
    for command in [
        "train run answers.toml --quiet",
        "train run verdict.toml --model run/model --quiet",
    ] {
        work.run(command).expect(0);
    }
    work.run(
        "eval labels abstracts.json --model both/model --head verdict --text QUESTION \
         --text-pair CONTEXTS --label final_decision",
    )
    .expect(0)
    .prints(&["18 texts", "accuracy"]);
    work.run(
        "eval labels abstracts.json --model both/model --text QUESTION --label final_decision",
    )
    .expect(2)
    .says(&["--text-pair"]);
    work.medsift(["index", "--model", "both/model"])
        .arg(sample("medsift-sample.xml"))
        .run()
        .expect(0);
    set_threshold(&work, -1e6);
    let question = "What do statins cause in muscle?";
    let ask = |question: &str| {
        timed(work.medsift(["answer", question, "--json"]))
            .run()
            .expect(0)
            .json()
    };
    let found = ask(question);
    let answers = found["answers"].as_array().expect("a list");
    assert_eq!(answers.len(), 5, "{found:#}");
    assert_eq!(
        (&found["read"], &found["head"]),
        (&10.into(), &"answers".into())
    );
    assert!(found["verdict"].is_null() && found["message"].is_null());
    let hits = work
        .medsift(["search", question, "--syntax", "plain", "--json"])
        .run()
        .expect(0)
        .json();
    for answer in answers {
        let mut all = hits["hits"].as_array().expect("hits").iter();
        let hit = all.find(|hit| hit["id"] == answer["id"]).expect("a hit");
        let text = hit[answer["field"].as_str().expect("a field")]
            .as_str()
            .expect("a text");
        let place = |name: &str| answer[name].as_u64().expect("a place") as usize;
        let (start, end) = (place("start"), place("end"));
        let span: String = text.chars().take(end).skip(start).collect();
        assert_eq!(answer["text"], span);
        assert!(
            answer["evidence"]["text"]
                .as_str()
                .expect("a text")
                .contains(&span)
        );
    }
    let judged = ask("Do statins cause muscle pain?");
    let verdict = &judged["verdict"];
    let count = |name: &str| verdict[name].as_u64().expect("a number");
    let all = count("supporting") + count("opposing") + count("undecided");
    assert_eq!((all, &judged["verdict_head"]), (10, &"verdict".into()));
    timed(work.medsift(["answer", "Do statins cause muscle pain?"]))
        .run()
        .expect(0)
        .prints(&[
            "articles support it",
            "10 articles read",
            "verdict by head verdict",
        ]);

    set_threshold(&work, 1e6);
    let silent = ask(question);
    assert_eq!(silent["answers"], json!([]));
    timed(work.medsift(["answer", question]))
        .run()
        .expect(0)
        .prints(&["no answer found in the 10 articles"]);
    over_http(&work);
    work.medsift(["answer", question, "--index", "none"])
        .run()
        .expect(1)
        .says(&["none"]);
}

fn over_http(work: &Workspace) {
    let mut running: Running = timed(work.medsift(["serve", "--port", "0"])).start();
    let (line, _) = running.first_line();
    let address = line.strip_prefix("http://").expect("an address").to_owned();
    let send = |request: &str| {
        let mut stream = TcpStream::connect(&address).expect("the server answers");
        stream
            .write_all(request.as_bytes())
            .expect("a request can be sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    let end = "Host: localhost\r\nConnection: close\r\n";
    let answer = send(&format!(
        "GET /v1/answer?q=Do+statins+help%3F HTTP/1.1\r\n{end}\r\n"
    ));
    for part in [
        " 200 ",
        "server-timing",
        "\"verdict_head\":\"verdict\"",
        "\"supporting\"",
    ] {
        assert!(answer.contains(part), "{part}: {answer}");
    }
    let body = r#"{"query": "Which muscle?", "limit": 3}"#;
    let length = body.len();
    let answer = send(&format!(
        "POST /v1/answer HTTP/1.1\r\n{end}Content-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    ));
    for part in [" 200 ", "no answer found in the 3 articles"] {
        assert!(answer.contains(part), "{part}: {answer}");
    }
    let answer = send(&format!(
        "GET /v1/answer?q=a&offset=3 HTTP/1.1\r\n{end}\r\n"
    ));
    assert!(
        answer.contains(" 400 ") && answer.contains("offset"),
        "{answer}"
    );
    running.signal("INT");
    let _ = running.wait().expect(0);
}

#[test]
fn a_model_without_a_head_says_so() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    work.medsift(["answer", "Which muscle?"])
        .run()
        .expect(1)
        .says(&["no head for answers", "config/train/answers.toml"]);
    work.medsift(["answer", " "])
        .run()
        .expect(2)
        .says(&["empty"]);
}
