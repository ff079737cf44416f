use crate::client::{Answer, Server};
use crate::fixture;
use medsift::index::Index;
use medsift::searcher::SearchSettings;
use medsift_server::ServerConfig;
use std::sync::Arc;

fn is_page(answer: &Answer) {
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    let policy = answer.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    let text = answer.text();
    assert_eq!(
        text.matches("<script").count(),
        1,
        "only the page's own script"
    );
    assert!(!text.contains("style=") && !text.contains("<style"));
}

#[test]
fn the_first_page_leads_to_its_assets() {
    let server = fixture::server();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    is_page(&page);
    assert!(page.text().contains("articles</b>"));
    for (kind, mime) in [
        ("style.css?", "text/css"),
        ("page.js?", "text/javascript"),
        ("icon.svg?", "image/svg+xml"),
    ] {
        let text = page.text();
        let at = text.find(&format!("/assets/{kind}")).unwrap();
        let address = &text[at..at + text[at..].find('"').unwrap()];
        let asset = server.get(address);
        assert_eq!(asset.status, 200, "{address}");
        assert!(asset.header("content-type").starts_with(mime));
        assert!(asset.header("cache-control").contains("immutable"));
    }
    assert_eq!(server.get("/assets/other.css").status, 404);
}

#[test]
fn results_are_shown_and_stored_markup_is_text() {
    let server = fixture::server();
    // A browser sends the fields that were left empty, too.
    let page = server.get("/?q=script+statins&mode=keyword&year_from=&year_to=&journal=&mesh=");
    assert_eq!(page.status, 200, "{}", page.text());
    is_page(&page);
    let text = page.text();
    assert!(text.contains("class=\"hit\""));
    assert!(text.contains("&lt;") && !text.contains("<img"), "{text}");
    assert!(text.contains("<mark>"));
    assert!(page.header("server-timing").contains("retrieve;dur="));
    // Each hit leads to its article, and that back to the results.
    let at = text.find("href=\"/articles/").unwrap() + 6;
    let address = text[at..at + text[at..].find('"').unwrap()].replace("&amp;", "&");
    let article = server.get(&address);
    assert_eq!(article.status, 200, "{address}");
    is_page(&article);
    assert!(article.text().contains("← Back to the results"));
}

#[test]
fn a_query_of_pubmeds_language_is_explained_and_its_faults_forgiven() {
    let server = fixture::server();
    let page = server.get("/?q=all%5Bsb%5D+NOT+%3Cb%3E%5Bti%5D+AND");
    assert_eq!(page.status, 200);
    is_page(&page);
    let text = page.text();
    for part in [
        "How the query was understood",
        "passed over: at character",
        "&lt;b&gt;[Title]",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("<b>[Title]"));
}

#[test]
fn an_article_with_an_odd_id_is_shown_as_text() {
    let server = fixture::server();
    let article = server.get("/articles/a%2Fb%3Ac%3Cscript%3E");
    assert_eq!(article.status, 200);
    is_page(&article);
}

#[test]
fn whoever_asks_too_often_gets_a_way_to_try_again() {
    let config = ServerConfig {
        requests_per_minute: 1,
        ..ServerConfig::default()
    };
    let server = Server::start(fixture::index(), config);
    let accept = [("accept", "text/html")];
    assert_eq!(server.send("GET", "/", &accept, b"").status, 200);
    let page = server.send("GET", "/?q=statins&limit=5", &accept, b"");
    assert_eq!(page.status, 429);
    is_page(&page);
    assert!(!page.header("retry-after").is_empty());
    let again = "<a href=\"/?q=statins&amp;limit=5\">Try again</a>";
    assert!(page.text().contains(again), "{}", page.text());
    // Not to another server.
    let elsewhere = server.send("GET", "//example.org/", &accept, b"");
    assert_eq!(elsewhere.status, 429);
    assert!(
        !elsewhere.text().contains("Try again"),
        "{}",
        elsewhere.text()
    );
}

#[test]
fn a_list_that_has_changed_meanwhile_offers_its_first_page() {
    let folder = tempfile::tempdir().unwrap();
    let encoder = fixture::encoder();
    let put = |source, ids: [&str; 2]| {
        let articles = ids.map(|id| fixture::article(id, "Statins", 2020));
        fixture::commit(folder.path(), &encoder, source, articles.into());
    };
    put("a.xml", ["99000001", "99000002"]);
    let opened = Some(Arc::clone(&encoder));
    let index = Index::open(folder.path(), opened, SearchSettings::default()).unwrap();
    let server = Server::start(Arc::new(index), ServerConfig::default());
    let search = "q=statins&mode=keyword&limit=1";
    let first = server
        .get(&format!("/v1/search?{search}&lenient=true"))
        .json();
    let cursor = first["next_cursor"].as_str().unwrap();
    let next = format!("/?{search}&cursor={cursor}");
    assert_eq!(server.get(&next).status, 200);
    put("b.xml", ["99000003", "99000004"]);
    let page = server.get(&next);
    assert_eq!(page.status, 410, "{}", page.text());
    is_page(&page);
    let link = format!(
        "<a href=\"/?{}\">Go to the first page</a>",
        search.replace('&', "&amp;")
    );
    assert!(page.text().contains(&link), "{link} in {}", page.text());
    assert_eq!(server.get(&format!("/?{search}")).status, 200);
}

#[test]
fn an_empty_index_has_pages() {
    let folder = tempfile::tempdir().unwrap();
    let encoder = fixture::encoder();
    fixture::commit(folder.path(), &encoder, "a.xml", Vec::new());
    let index = Index::open(folder.path(), Some(encoder), SearchSettings::default()).unwrap();
    let server = Server::start(Arc::new(index), ServerConfig::default());
    for (path, part) in [
        ("/", "This index is empty"),
        ("/?q=statins", "Nothing matches"),
        ("/?q=statins&mode=semantic", "Nothing matches"),
        ("/?q=statins&sort=date&facets=year", "Nothing matches"),
    ] {
        let page = server.get(path);
        assert_eq!(page.status, 200, "{path}");
        is_page(&page);
        assert!(page.text().contains(part), "{path}: {}", page.text());
    }
    assert_eq!(server.get("/v1/stats").json()["articles"], 0);
    let export = server.get("/v1/export?q=all%5Bsb%5D");
    assert_eq!(export.header("medsift-articles"), "0");
}

#[test]
fn trouble_is_a_page_with_the_same_status() {
    let server = fixture::server();
    for (path, status) in [
        ("/?q=a&colour=red", 400),
        ("/?q=a&year_from=2020&year_to=2019", 400),
        ("/?q=a&limit=1000000", 400),
        ("/articles/1", 404),
        ("/articles/a%20b", 400),
    ] {
        let page = server.get(path);
        assert_eq!(page.status, status, "{path}");
        is_page(&page);
        assert!(page.text().contains("role=\"alert\""));
    }
    let accept = [("accept", "text/html,*/*;q=0.8")];
    let lost = server.send("GET", "/nothing", &accept, b"");
    assert_eq!(lost.status, 404);
    is_page(&lost);
    // Under /v1 even a browser gets what programs get.
    let api = server.send("GET", "/v1/nothing", &accept, b"");
    assert_eq!(api.error().0, "unknown_path");
}
