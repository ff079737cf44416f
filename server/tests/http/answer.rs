use crate::fixture;

/// The model of the fixture has no heads.
#[test]
fn a_model_without_a_head_is_said_and_a_bad_question_before_that() {
    let server = fixture::server();
    let answer = server.get("/v1/answer?q=Which+muscle%3F");
    assert_eq!(answer.status, 404, "{}", answer.text());
    assert_eq!(answer.error(), ("no_head".to_owned(), None));
    assert!(answer.text().contains("search.answer.head"));
    let answer = server.post("/v1/answer", br#"{"query": "Which muscle?"}"#);
    assert_eq!(answer.error().0, "no_head");
    for (address, field) in [
        ("/v1/answer?q=", "q"),
        ("/v1/answer?q=a&offset=2", "offset"),
        ("/v1/answer?q=a&explain=true", "explain"),
        ("/v1/answer?q=a&enrich=entities", "enrich"),
        ("/v1/answer?q=a&limit=0", "limit"),
        ("/v1/answer?q=a&colour=red", "colour"),
    ] {
        let answer = server.get(address);
        assert_eq!(answer.status, 400, "{address}: {}", answer.text());
        assert!(
            answer
                .error()
                .1
                .is_some_and(|named| named.starts_with(field)),
            "{address}"
        );
    }
}
