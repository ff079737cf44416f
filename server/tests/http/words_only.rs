use crate::client::Server;
use crate::fixture;
use medsift_server::ServerConfig;

/// Without an encoder a request that names no mode gets what there is, and is
/// told so; one that insists is told what to do.
#[test]
fn words_are_searched_where_no_model_is_open() {
    let server = Server::start(fixture::index_without_model(), ServerConfig::default());
    for path in [
        "/v1/search?q=statins+muscle+pain",
        "/v1/search?q=statins+muscle+pain&mode=keyword",
    ] {
        let found = server.get(path);
        assert_eq!(found.status, 200, "{path}: {}", found.text());
        let json = found.json();
        assert_eq!(json["mode"], "keyword", "{path}");
        assert_eq!(json["hits"][0]["id"], "99000001", "{path}");
        let warned = json["warnings"].to_string().contains("only the words");
        assert_eq!(warned, !path.contains("mode"), "{json}");
    }
    for mode in ["hybrid", "semantic"] {
        let refused = server.get(&format!("/v1/search?q=statins&mode={mode}"));
        let expected = ("invalid_parameter".to_owned(), Some("mode".to_owned()));
        assert_eq!((refused.status, refused.error()), (400, expected));
        for part in ["bert-mean", "use mode keyword", "--model DIR"] {
            assert!(refused.text().contains(part), "{}", refused.text());
        }
    }
    // As a browser sends the form, with the default mode left as it is.
    let page = server.get("/?q=statins&mode=&year_from=");
    assert_eq!(page.status, 200);
    assert!(page.text().contains("only the words were searched"));
    assert_eq!(server.get("/?q=statins&mode=semantic").status, 400);
}
