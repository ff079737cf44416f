//! Embeddings in the shapes of OpenAI and of text-embeddings-inference.

use crate::client::{Answer, Server};
use crate::description::fits;
use crate::fixture;
use medsift_server::ServerConfig;
use serde_json::{Value, json};

fn post(server: &Server, path: &str, body: Value) -> Answer {
    server.post(path, body.to_string().as_bytes())
}

fn numbers(vector: &Value) -> Vec<f32> {
    let numbers = vector.as_array().unwrap().iter();
    numbers
        .map(|number| number.as_f64().unwrap() as f32)
        .collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// As RFC 4648 has it, by hand: what a client in another language does.
fn from_base64(text: &str) -> Vec<f32> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values = text.trim_end_matches('=').chars();
    let bits: Vec<u8> = values
        .map(|c| LETTERS.find(c).unwrap() as u8)
        .flat_map(|value| (0..6).rev().map(move |bit| value >> bit & 1))
        .collect();
    let bytes = bits.chunks_exact(8);
    let bytes: Vec<u8> = bytes
        .map(|byte| byte.iter().fold(0, |all, bit| all << 1 | bit))
        .collect();
    let numbers = bytes.chunks_exact(4);
    numbers
        .map(|four| f32::from_le_bytes(four.try_into().unwrap()))
        .collect()
}

#[test]
fn vectors_are_those_of_the_index_in_both_formats() {
    let server = fixture::server();
    let texts = ["Statins and muscle pain", "Sleep"];
    let asked = json!({"input": texts, "model": "bert-mean"});
    let floats = post(&server, "/v1/embeddings", asked.clone());
    assert_eq!(floats.status, 200, "{}", floats.text());
    fits(&server, "/v1/embeddings", "post", &floats);
    let floats = floats.json();
    assert_eq!(floats["model"], "bert-mean");
    let used = floats["usage"]["prompt_tokens"].as_u64().unwrap();
    assert!(used > 6, "{used}");
    let mut in_bytes = asked;
    in_bytes["encoding_format"] = "base64".into();
    let bytes = post(&server, "/v1/embeddings", in_bytes);
    fits(&server, "/v1/embeddings", "post", &bytes);
    let bytes = bytes.json();
    for at in 0..2 {
        assert_eq!(floats["data"][at]["index"], at);
        let vector = numbers(&floats["data"][at]["embedding"]);
        assert!((cosine(&vector, &vector) - 1.0).abs() < 1e-5);
        assert_eq!(
            from_base64(bytes["data"][at]["embedding"].as_str().unwrap()),
            vector
        );
    }
    // A single text is the same as a list of one, and as in the other shape.
    let one = post(
        &server,
        "/v1/embeddings",
        json!({"input": texts[0], "model": "medsift"}),
    );
    let embed = post(&server, "/embed", json!({"inputs": texts}));
    fits(&server, "/embed", "post", &embed);
    assert_eq!(
        one.json()["data"][0]["embedding"],
        floats["data"][0]["embedding"]
    );
    assert_eq!(embed.json()[1], floats["data"][1]["embedding"]);
}

#[test]
fn models_are_listed_and_others_refused() {
    let server = fixture::server();
    let models = server.get("/v1/models");
    fits(&server, "/v1/models", "get", &models);
    assert_eq!(models.json()["data"][0]["id"], "bert-mean");
    let info = server.get("/info");
    fits(&server, "/info", "get", &info);
    let info = info.json();
    assert!(
        info["reranking"]
            .as_str()
            .unwrap()
            .contains("no cross-encoder")
    );
    assert_eq!(info["max_input_length"], 40);
    let sha = info["model_sha"].as_str().unwrap()[..12].to_owned();
    let by_sha = post(
        &server,
        "/v1/embeddings",
        json!({"input": "a", "model": sha}),
    );
    assert_eq!(by_sha.status, 200, "{}", by_sha.text());
    let other = post(
        &server,
        "/v1/embeddings",
        json!({"input": "a", "model": "text-embedding-3-small"}),
    );
    assert_eq!(other.status, 404);
    assert_eq!(other.json()["error"]["code"], "model_not_found");
    assert!(other.text().contains("bert-mean"), "{}", other.text());
}

#[test]
fn nothing_is_cut_in_silence() {
    let server = fixture::server();
    let long = "statins and muscle pain ".repeat(30);
    let asked = json!({"input": ["short", long], "model": "medsift"});
    let refused = post(&server, "/v1/embeddings", asked);
    assert_eq!(refused.status, 400, "{}", refused.text());
    let error = &refused.json()["error"];
    assert_eq!(
        (&error["code"], &error["param"], &error["type"]),
        (
            &"input_too_long".into(),
            &"input[1]".into(),
            &"invalid_request_error".into()
        )
    );
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("the model reads 40")
    );
    let refused = post(&server, "/embed", json!({"inputs": long}));
    assert_eq!(
        (refused.status, &refused.json()["error_type"]),
        (413, &"Validation".into())
    );
    let mixed = format!("{long}{}", "sleep ".repeat(60));
    let cut = |direction: &str| {
        let asked = json!({"inputs": mixed, "truncate": true, "truncation_direction": direction});
        let answer = post(&server, "/embed", asked);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    assert_ne!(cut("Right"), cut("Left"));
    assert_eq!(cut("Right"), cut("right"));
}

#[test]
fn faults_are_told_in_the_shape_of_each() {
    let server = fixture::server();
    for (body, param) in [
        (json!({"model": "medsift"}), "input"),
        (json!({"input": [], "model": "medsift"}), "input"),
        (json!({"input": ["a", " "], "model": "medsift"}), "input[1]"),
        (json!({"input": [1, 2], "model": "medsift"}), "input"),
        (json!({"input": [[1], [2]], "model": "medsift"}), "input"),
        (json!({"input": 5, "model": "medsift"}), "input"),
        (json!({"input": "a"}), "model"),
        (
            json!({"input": "a", "model": "medsift", "dimensions": 7}),
            "dimensions",
        ),
        (
            json!({"input": "a", "model": "medsift", "dimensions": -1}),
            "dimensions",
        ),
        (
            json!({"input": "a", "model": "medsift", "encoding_format": "hex"}),
            "encoding_format",
        ),
        (
            json!({"input": "a", "model": "medsift", "input_type": "x"}),
            "input_type",
        ),
        (
            json!({"input": "a", "model": "medsift", "colour": 1}),
            "colour",
        ),
    ] {
        let answer = post(&server, "/v1/embeddings", body.clone());
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
        assert_eq!(answer.json()["error"]["param"], param, "{body}");
    }
    let tokens = post(
        &server,
        "/v1/embeddings",
        json!({"input": [[1]], "model": "medsift"}),
    );
    assert!(tokens.text().contains("check_embedding_ctx_length=False"));
    for (path, body) in [
        ("/embed", json!({})),
        ("/embed", json!({"inputs": "a", "prompt_name": "x"})),
        (
            "/embed",
            json!({"inputs": "a", "truncation_direction": "Up"}),
        ),
        ("/rerank", json!({"query": "a"})),
        ("/rerank", json!({"query": "a", "texts": "b"})),
        ("/rerank", json!({"texts": ["b"]})),
    ] {
        let answer = post(&server, path, body.clone());
        assert_eq!(answer.status, 422, "{path} {body}: {}", answer.text());
        assert_eq!(answer.json()["error_type"], "Validation");
    }
    assert_eq!(server.post("/embed", b"{").status, 422);
    let no_json = server.send("POST", "/v1/embeddings", &[], b"{}");
    assert_eq!(no_json.status, 415);
    assert_eq!(no_json.json()["error"]["type"], "invalid_request_error");
}

#[test]
fn roles_have_the_prompts_of_the_model() {
    let server = fixture::server();
    let of = |role: &str| {
        let asked = json!({"input": "statins", "model": "medsift", "input_type": role});
        let answer = post(&server, "/v1/embeddings", asked).json();
        answer["usage"]["prompt_tokens"].as_u64().unwrap()
    };
    let plain = post(
        &server,
        "/v1/embeddings",
        json!({"input": "statins", "model": "medsift"}),
    );
    let plain = plain.json()["usage"]["prompt_tokens"].as_u64().unwrap();
    assert_eq!(plain, of("passage"));
    // `query: ` and `passage: ` before a word, between two special tokens.
    assert!(of("query") > 3);
}

#[test]
fn texts_are_ranked_by_cosine() {
    let server = fixture::server();
    let texts = [
        "Sleep",
        "Statins and muscle pain",
        "Statins and muscle pain in old age",
    ];
    let asked =
        json!({"query": "muscle pain", "texts": texts, "raw_scores": true, "return_text": true});
    let raw = post(&server, "/rerank", asked);
    assert_eq!(raw.status, 200, "{}", raw.text());
    fits(&server, "/rerank", "post", &raw);
    let raw = raw.json();
    let ranks = raw.as_array().unwrap();
    assert_eq!(ranks.len(), 3);
    let query = json!({"inputs": "muscle pain", "prompt_name": "query"});
    let query = numbers(&post(&server, "/embed", query).json()[0]);
    let vectors = post(&server, "/embed", json!({"inputs": texts})).json();
    let mut before = f32::INFINITY;
    for rank in ranks {
        let index = rank["index"].as_u64().unwrap() as usize;
        assert_eq!(rank["text"], texts[index]);
        let score = rank["score"].as_f64().unwrap() as f32;
        let expected = cosine(&query, &numbers(&vectors[index]));
        assert!((score - expected).abs() < 1e-5 && score <= before);
        before = score;
    }
    let plain = post(
        &server,
        "/rerank",
        json!({"query": "muscle pain", "texts": texts}),
    )
    .json();
    let scaled = (1.0 + ranks[0]["score"].as_f64().unwrap()) / 2.0;
    assert!((plain[0]["score"].as_f64().unwrap() - scaled).abs() < 1e-6);
    assert!(plain[0].get("text").is_none());
}

#[test]
fn more_than_the_configured_texts_are_refused() {
    let config = ServerConfig {
        embed_inputs: 2,
        embed_chars: 10,
        ..ServerConfig::default()
    };
    let server = Server::start(fixture::index(), config);
    for texts in [json!(["a", "b", "c"]), json!(["abcdef", "ghijkl"])] {
        let answer = post(
            &server,
            "/v1/embeddings",
            json!({"input": texts, "model": "medsift"}),
        );
        assert_eq!(answer.status, 413, "{}", answer.text());
        let answer = post(&server, "/embed", json!({"inputs": texts}));
        assert_eq!(
            (answer.status, &answer.json()["error_type"]),
            (413, &"Validation".into())
        );
        let answer = post(&server, "/rerank", json!({"query": "a", "texts": texts}));
        assert_eq!(answer.status, 413);
    }
}

#[test]
fn without_the_model_nothing_is_embedded_and_it_is_said() {
    let server = Server::start(fixture::index_without_model(), ServerConfig::default());
    let answer = post(
        &server,
        "/v1/embeddings",
        json!({"input": "a", "model": "medsift"}),
    );
    assert_eq!(
        (answer.status, &answer.json()["error"]["code"]),
        (404, &"no_model".into())
    );
    assert_eq!(post(&server, "/embed", json!({"inputs": "a"})).status, 404);
    assert_eq!(server.get("/v1/models").json()["data"], json!([]));
    assert_eq!(server.get("/v1/passages?q=statins").error().0, "no_model");
}
