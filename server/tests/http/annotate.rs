use crate::fixture;

/// The model of the fixture has no heads; what is asked is looked at first.
#[test]
fn texts_are_checked_and_a_model_without_a_head_is_said() {
    let server = fixture::server();
    let answer = server.get("/v1/annotate?text=Statins&text=Myopathy");
    assert_eq!(answer.status, 404, "{}", answer.text());
    assert_eq!(answer.error(), ("no_head".to_owned(), None));
    assert!(answer.text().contains("search.enrich.head"));
    let answer = server.post("/v1/annotate", br#"{"texts": ["Statins", "Myopathy"]}"#);
    assert_eq!(answer.error().0, "no_head");
    for path in [
        "/v1/annotate?text=Statins&format=bioc",
        "/v1/articles/99000001?format=pubtator",
    ] {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.error().0.as_str()), (404, "no_head"));
    }
    for (path, field) in [
        ("/v1/annotate?text=Statins&format=xml", "format"),
        ("/v1/annotate?text=a&format=bioc&format=bioc", "format"),
        ("/v1/articles/99000001?format=word", "format"),
    ] {
        let answer = server.get(path);
        assert_eq!(
            (answer.status, answer.error().1.as_deref()),
            (400, Some(field))
        );
    }
    for (body, field) in [
        (&br#"{"text": 1}"#[..], "text"),
        (br#"{"words": "a"}"#, "words"),
        (br#"{}"#, "text"),
    ] {
        let answer = server.post("/v1/annotate", body);
        assert_eq!(answer.status, 400, "{}", answer.text());
        assert_eq!(answer.error().1.as_deref(), Some(field));
    }
    let answer = server.get("/v1/annotate?words=a");
    assert_eq!(answer.error().1.as_deref(), Some("words"));
    let answer = server.post("/v1/annotate", b"[]");
    assert!(
        answer.text().contains("the body is a list"),
        "{}",
        answer.text()
    );
}

/// An assistant's protocol, as far as it needs no client of its own.
#[test]
fn an_assistant_is_answered_without_a_session() {
    let server = fixture::server();
    let call = br#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}}"#;
    let answer = server.post("/mcp", call);
    // A client says that it takes JSON and event streams.
    assert_eq!(answer.status, 406, "{}", answer.text());
}
