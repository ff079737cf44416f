//! The shape of NCBI's E-utilities, over the articles of the fixture, one of
//! which has no PMID.

use crate::client::{Answer, Server};
use crate::export::joined;
use crate::fixture;
use medsift_server::{KeyEntry, ServerConfig};
use serde_json::{Value, json};

fn ask(server: &Server, call: &str) -> Answer {
    server.get(&format!("/entrez/eutils/{call}"))
}

fn json_of(server: &Server, call: &str) -> Value {
    let answer = ask(server, &format!("{call}&retmode=json"));
    assert_eq!(answer.status, 200, "{call}: {}", answer.text());
    answer.json()
}

fn found(server: &Server, parameters: &str) -> Value {
    json_of(server, &format!("esearch.fcgi?db=pubmed&{parameters}"))["esearchresult"].take()
}

const ALL: [&str; 3] = ["99000003", "99000002", "99000001"];

#[test]
fn a_search_counts_and_lists_what_has_a_pmid() {
    let server = fixture::server();
    let all = found(&server, "term=all[sb]");
    assert_eq!((&all["count"], &all["idlist"]), (&json!("3"), &json!(ALL)));
    let messages = all["warninglist"]["outputmessages"].to_string();
    assert!(messages.contains("1 other articles match"), "{messages}");
    let part = found(&server, "term=all[sb]&retstart=1&retmax=1");
    assert_eq!(
        (&part["count"], &part["retstart"]),
        (&json!("3"), &json!("1"))
    );
    assert_eq!(part["idlist"], json!(["99000002"]));
    let dated = found(&server, "term=all[sb]&sort=pub_date");
    assert_eq!(dated["idlist"], json!(["99000001", "99000002", "99000003"]));
    let count = found(&server, "term=all[sb]&rettype=count");
    assert_eq!(count, json!({"count": "3"}));
    let narrowed = found(&server, "term=statins&field=ti&mindate=2015&maxdate=2020");
    assert_eq!(narrowed["idlist"], json!(["99000002"]));
    assert_eq!(
        narrowed["querytranslation"],
        "statins[Title] AND 2015:2020[Date - Publication]"
    );
}

#[test]
fn xml_and_json_say_the_same_and_post_is_get() {
    let server = fixture::server();
    let xml = ask(
        &server,
        "esearch.fcgi?db=pubmed&term=zzz[ti]+OR+statins[ti]&email=a@b",
    );
    assert_eq!(xml.header("content-type"), "text/xml; charset=UTF-8");
    let xml = xml.text().to_owned();
    for part in [
        "esearch.dtd\">\n<eSearchResult>",
        "<Count>3</Count>\n<RetMax>3</RetMax>\n<RetStart>0</RetStart>\n<IdList><Id>99000003</Id>",
        "<QueryTranslation>zzz[Title] OR statins[Title]</QueryTranslation>",
        "<ErrorList><PhraseNotFound>zzz[Title]</PhraseNotFound>",
    ] {
        assert!(xml.contains(part), "{part} is not in {xml}");
    }
    let json = found(&server, "term=zzz[ti]+OR+statins[ti]");
    assert_eq!(json["errorlist"]["phrasesnotfound"], json!(["zzz[Title]"]));
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let body = b"db=pubmed&term=zzz%5Bti%5D+OR+statins%5Bti%5D";
    let posted = server.send("POST", "/entrez/eutils/esearch.fcgi", &form, body);
    assert_eq!(posted.text(), xml);
    let other = server.post("/entrez/eutils/esearch.fcgi", b"{}");
    assert_eq!(other.status, 415);
}

#[test]
fn sets_of_the_history_are_searched_fetched_and_summed_up() {
    let server = fixture::server();
    let kept = found(&server, "term=statins[ti]&usehistory=y&retmax=1");
    assert_eq!(
        (&kept["count"], &kept["querykey"]),
        (&json!("3"), &json!("1"))
    );
    assert_eq!(kept["idlist"], json!(["99000003"]));
    let environment = kept["webenv"].as_str().unwrap();
    let of = |rest: &str| format!("WebEnv={environment}&{rest}");
    let joined_sets = found(&server, &of("term=%231+AND+2018[dp]&usehistory=y"));
    assert_eq!(joined_sets["idlist"], json!(["99000002"]));
    assert_eq!(joined_sets["querykey"], "2");
    let summary = json_of(
        &server,
        &format!(
            "esummary.fcgi?db=pubmed&{}",
            of("query_key=1&retstart=1&retmax=1")
        ),
    );
    assert_eq!(summary["result"]["uids"], json!(["99000002"]));
    let fetched = ask(
        &server,
        &format!(
            "efetch.fcgi?{}",
            of("query_key=1&rettype=uilist&retstart=2")
        ),
    );
    assert_eq!(fetched.text(), "99000001\n");
    let posted = json_of(&server, &format!("epost.fcgi?{}", of("id=99000001,x")));
    assert_eq!(posted["epostresult"]["querykey"], "3");
    assert_eq!(posted["epostresult"]["invalididlist"], json!(["x"]));
}

#[test]
fn a_fetch_gives_what_is_held_and_names_what_is_not() {
    let server = fixture::server();
    let call = "efetch.fcgi?db=pubmed&id=99000001,5&id=99000003";
    let xml = ask(&server, call);
    assert_eq!(xml.header("medsift-articles"), "2");
    assert_eq!(xml.header("medsift-missing"), "5");
    let text = joined(&xml.body);
    for part in [
        "pubmed_190101.dtd",
        "<PMID Version=\"1\">99000001</PMID>",
        "<AbstractText Label=\"RESULTS\">Muscle pain was",
        "<PMID Version=\"1\">99000003</PMID>",
        "</PubmedArticle>\n</PubmedArticleSet>\n",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let medline = ask(&server, &format!("{call}&rettype=medline&retmode=text"));
    assert_eq!(medline.header("content-type"), "text/plain; charset=UTF-8");
    let medline = joined(&medline.body);
    assert_eq!(medline.matches("PMID- ").count(), 2, "{medline}");
    let printed = ask(&server, &format!("{call}&rettype=abstract&retmode=text"));
    let printed = joined(&printed.body);
    assert!(
        printed.starts_with("1. ") && printed.contains("\n\n2. "),
        "{printed}"
    );
}

#[test]
fn links_lead_to_other_articles() {
    let server = fixture::server();
    let call = "elink.fcgi?dbfrom=pubmed&db=pubmed&cmd=neighbor_score&linkname=pubmed_pubmed";
    let links = json_of(&server, &format!("{call}&id=99000001&id=99000002"));
    let sets = links["linksets"].as_array().unwrap();
    assert_eq!(sets.len(), 2);
    assert_eq!(sets[0]["ids"], json!(["99000001"]));
    let near = sets[0]["linksetdbs"][0]["links"].as_array().unwrap();
    let ids: Vec<&str> = near
        .iter()
        .map(|link| link["id"].as_str().unwrap())
        .collect();
    // Neither the article itself nor the one without a PMID.
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, ["99000002", "99000003"]);
    let scores: Vec<u64> = near
        .iter()
        .map(|link| link["score"].as_u64().unwrap())
        .collect();
    assert!(
        scores[0] >= scores[1] && scores[0] <= 1_000_000,
        "{scores:?}"
    );
    let kept = json_of(
        &server,
        "elink.fcgi?dbfrom=pubmed&cmd=neighbor_history&linkname=pubmed_pubmed&id=99000001",
    );
    let set = &kept["linksets"][0];
    let (environment, key) = (&set["webenv"], &set["linksetdbhistories"][0]["querykey"]);
    let list = format!(
        "efetch.fcgi?rettype=uilist&WebEnv={}&query_key={}",
        environment.as_str().unwrap(),
        key.as_str().unwrap()
    );
    assert_eq!(ask(&server, &list).text(), format!("{}\n", ids.join("\n")));
}

#[test]
fn what_there_is_to_search_is_told() {
    let server = fixture::server();
    let list = ask(&server, "einfo.fcgi");
    assert!(list.text().contains("<DbList><DbName>pubmed</DbName>"));
    let info = json_of(&server, "einfo.fcgi?db=pubmed");
    let info = &info["einforesult"]["dbinfo"][0];
    assert_eq!(info["count"], "3");
    let fields = info["fieldlist"].as_array().unwrap().iter();
    let names: Vec<&str> = fields
        .map(|field| field["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"TIAB") && names.contains(&"MH"),
        "{names:?}"
    );
    assert_eq!(info["linklist"].as_array().unwrap().len(), 3);
}

#[test]
fn faults_are_told_where_clients_look() {
    let server = fixture::server();
    for (call, what) in [
        ("esearch.fcgi?db=protein&term=a", "pubmed"),
        ("esearch.fcgi?db=pubmed", "term"),
        ("esearch.fcgi?term=a&retmax=x", "retmax"),
        ("esearch.fcgi?term=a&WebEnv=none", "WebEnv"),
        ("esearch.fcgi?term=%231+AND+a", "#1"),
        ("esearch.fcgi?term=a&rettype=gb", "rettype"),
        ("esummary.fcgi?db=pubmed", "ID list is empty"),
        ("elink.fcgi?id=x", "no PMID"),
        ("elink.fcgi?id=1&cmd=llinks", "neighbor"),
        ("einfo.fcgi?db=gene", "pubmed"),
        ("epost.fcgi", "id"),
        ("epost.fcgi?id=1&WebEnv=none", "WebEnv"),
    ] {
        let answer = ask(&server, call);
        assert_eq!(answer.status, 200, "{call}");
        let xml = answer.text();
        assert!(
            xml.contains("<ERROR>") && xml.contains(what),
            "{call}: {xml}"
        );
        let mark = if call.contains('?') { '&' } else { '?' };
        let json = ask(&server, &format!("{call}{mark}retmode=json")).json();
        assert!(
            json["error"].as_str().unwrap().contains(what),
            "{call}: {json}"
        );
    }
    let summary = ask(&server, "esummary.fcgi?id=1&version=2.0");
    assert!(
        summary.text().contains("retmode=json"),
        "{}",
        summary.text()
    );
    let fetch = ask(&server, "efetch.fcgi?id=1&rettype=gb&retmode=text");
    assert_eq!(fetch.status, 400);
    assert!(fetch.text().contains("<eFetchResult><ERROR>rettype"));
    let json = json_of(&server, "esummary.fcgi?id=7");
    assert_eq!(json["result"]["7"]["error"], "cannot get document summary");
}

#[test]
fn a_list_that_is_too_long_for_one_answer_is_refused() {
    let server = fixture::server();
    let ids: Vec<String> = (1..=10_001).map(|id| id.to_string()).collect();
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let body = format!("id={}", ids.join(","));
    let answer = server.send(
        "POST",
        "/entrez/eutils/esummary.fcgi",
        &form,
        body.as_bytes(),
    );
    assert!(
        answer.text().contains("more than the 10000"),
        "{}",
        answer.text()
    );
}

#[test]
fn the_servers_own_keys_hold() {
    let config = ServerConfig {
        keys: vec![KeyEntry::new("anna", "secret").unwrap()],
        ..ServerConfig::default()
    };
    let server = Server::start(fixture::index(), config);
    let call = "/entrez/eutils/esearch.fcgi?term=statins&api_key=secret";
    assert_eq!(server.get(call).status, 401);
    let header = [("x-api-key", "secret")];
    assert_eq!(server.send("GET", call, &header, b"").status, 200);
}
