use super::*;
use crate::page::samples;
use medsift::query::{Enrichment, Filter};

fn show(request: &QueryRequest, response: &SearchResponse) -> String {
    page(
        request,
        response,
        &SearchSettings::default(),
        &Beside::default(),
    )
}

fn request(query: &str) -> QueryRequest {
    QueryRequest {
        query: query.into(),
        ..QueryRequest::default()
    }
}

#[test]
fn stored_text_is_never_markup() {
    let mut response = samples::response();
    let hostile = samples::hostile();
    response.query = "<script>alert(1)</script>".into();
    response.warnings = vec!["<script>alert(2)</script>".into()];
    response.hits = vec![samples::hit(1, hostile)];
    let html = show(&request("\"><script>alert(0)</script>"), &response);
    let scripts = html.matches("<script").count();
    assert_eq!(scripts, 1, "only the page's own script:\n{html}");
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!html.contains("<img"), "{html}");
    assert!(!html.contains("href=\"javascript"), "{html}");
}

#[test]
fn there_is_no_inline_style_or_script() {
    let html = show(&request("statins"), &samples::response());
    assert!(!html.contains("style="), "the policy forbids it");
    let tags = html.split('<').filter_map(|piece| piece.split_once('>'));
    for attribute in tags.flat_map(|(tag, _)| tag.split(' ')) {
        let event = attribute.starts_with("on") && attribute.contains('=');
        assert!(!event, "an event attribute: {attribute}");
    }
    assert!(!html.contains("javascript:"));
}

#[test]
fn hits_show_what_they_hold() {
    let html = show(&request("muscle pain"), &samples::response());
    for part in [
        "<mark>Muscle pain</mark>",
        "<sub>2</sub>",
        ">Randomized Controlled Trial<",
        "<cite title=\"The Journal of Made-up Trials\">J Made Up Trials</cite>",
        "2021 Mar 4",
        "12(3):123-9",
        "href=\"https://doi.org/10.5555/sample.1\"",
        "#1 · BM25 7.25",
        "#2 · cosine 0.712",
        ">BACKGROUND</b>",
        "1–3 of 213 articles in order of words and meaning · 41 hold your words",
        "rel=\"next\" href=\"/?q=muscle+pain&amp;offset=10\"",
    ] {
        assert!(html.contains(part), "{part} is not in\n{html}");
    }
}

#[test]
fn what_was_read_in_part_is_said() {
    let mut response = samples::response();
    let note = "The model read only the beginning of this text.";
    assert!(!show(&request("muscle pain"), &response).contains(note));
    response.hits[1].truncated = true;
    let html = show(&request("muscle pain"), &response);
    assert_eq!(html.matches(note).count(), 1, "{html}");
}

#[test]
fn the_whole_list_is_offered_in_every_form() {
    let html = show(&request("muscle pain"), &samples::response());
    for (format, name) in [
        ("jsonl", "JSON lines"),
        ("csv", "CSV"),
        ("beir", "BEIR"),
        ("parquet", "Parquet"),
    ] {
        let file = format!(
            "href=\"/v1/export?q=muscle+pain&amp;lenient=true&amp;format={format}\" \
             download>{name}<"
        );
        assert!(html.contains(&file), "{file} is not in\n{html}");
    }
}

#[test]
fn the_length_of_the_list_is_not_called_a_number_of_matches() {
    let mut response = samples::response();
    for (mode, more, part) in [
        (
            Mode::Hybrid,
            true,
            "1–3 of the best 213 articles in order of words and meaning · 41 hold",
        ),
        (
            Mode::Semantic,
            false,
            "1–3 of 213 articles in order of meaning<",
        ),
        (
            Mode::Semantic,
            true,
            "1–3 of the best 213 articles in order of meaning<",
        ),
        (
            Mode::Keyword,
            false,
            "1–3 of 213 articles that hold your words<",
        ),
        (
            Mode::Keyword,
            true,
            "1–3 of the best 213 of 41 that hold your words<",
        ),
    ] {
        response.mode = mode;
        response.found.more = more;
        let html = show(&request("muscle pain"), &response);
        assert!(html.contains(part), "{part} is not in\n{html}");
    }
}

#[test]
fn the_form_keeps_what_was_asked() {
    let mut request = request("asthma");
    request.mode = Some(Mode::Semantic);
    request.limit = Some(25);
    request.filter = Filter {
        journal: vec!["Lancet".into(), "BMJ".into()],
        has_abstract: Some(true),
        retracted: Some(true),
        ..Filter::default()
    };
    let html = show(&request, &samples::response());
    for part in [
        "value=\"asthma\"",
        "value=\"semantic\" checked",
        "name=\"limit\" value=\"25\"",
        "value=\"Lancet\"",
        "type=\"hidden\" name=\"journal\" value=\"BMJ\"",
        "name=\"has_abstract\" value=\"true\" checked",
        "type=\"hidden\" name=\"retracted\" value=\"true\"",
    ] {
        assert!(html.contains(part), "{part} is not in\n{html}");
    }
    assert_eq!(html.matches("checked").count(), 2);
}

#[test]
fn no_hits_offer_ways_out() {
    let mut response = samples::response();
    response.hits.clear();
    response.next_offset = None;
    response.mode = Mode::Keyword;
    let mut request = request("asthma");
    request.filter.has_abstract = Some(true);
    let html = show(&request, &response);
    assert!(html.contains("Nothing matches"));
    assert!(
        html.contains("href=\"/?q=asthma\">Search without filters"),
        "{html}"
    );
    assert!(
        html.contains("mode=hybrid&amp;has_abstract=true\">Search by meaning"),
        "{html}"
    );

    request.offset = 500;
    let html = show(&request, &response);
    assert!(html.contains("The list ends before this page"));
}

fn show_with(request: &QueryRequest, response: &SearchResponse, beside: &Beside) -> String {
    page(request, response, &SearchSettings::default(), beside)
}

#[test]
fn entities_are_offered_where_they_can_be_found_and_are_not_there() {
    let (request, response) = (request("muscle pain"), samples::response());
    let can = Beside {
        can_enrich: true,
        ..Beside::default()
    };
    let address = "href=\"/?q=muscle+pain&amp;enrich=entities\"";
    assert!(show_with(&request, &response, &can).contains(address));
    assert!(!show(&request, &response).contains(address));
    let nothing = SearchResponse {
        hits: Vec::new(),
        ..response
    };
    assert!(!show_with(&request, &nothing, &can).contains(address));
}

#[test]
fn entities_are_marked_with_found_words_inside_and_what_was_not_read_is_said() {
    let mut request = request("muscle pain");
    request.enrich = vec![Enrichment::Entities];
    let html = show(&request, &samples::enriched());
    for part in [
        // Within a link the keyboard does not stop.
        "<abbr class=\"entity k0\" title=\"Disease · MESH:D063806 Myalgia\">\
         <mark>Muscle pain</mark></abbr>",
        "<abbr class=\"entity k1\" title=\"Chemical\">H<sub>2</sub>O<sub>2</sub></abbr>",
        "<span class=\"entity k1\">Chemical</span>",
        "type=\"hidden\" name=\"enrich\" value=\"entities\"",
        "/articles/99000001?q=muscle+pain&amp;enrich=entities",
    ] {
        assert!(html.contains(part), "{part} is not in\n{html}");
    }
    assert_eq!(html.matches("Not read for entities").count(), 2, "{html}");
}

#[test]
fn a_question_has_a_box_where_it_can_be_answered() {
    let request = request("do statins cause pain?");
    let response = SearchResponse {
        query: request.query.clone(),
        ..samples::response()
    };
    let can = Beside {
        can_answer: true,
        ..Beside::default()
    };
    assert!(show_with(&request, &response, &can).contains("id=\"answer\""));
    assert!(!show(&request, &response).contains("id=\"answer\""));
}

#[test]
fn the_nearest_are_shown_where_nothing_matches() {
    let response = SearchResponse {
        hits: Vec::new(),
        ..samples::response()
    };
    let nearest = |without_filter| Beside {
        nearest: Some(Nearest {
            hits: vec![samples::hit(1, samples::trial())],
            without_filter,
        }),
        ..Beside::default()
    };
    let html = show_with(&request("mus pain"), &response, &nearest(false));
    assert!(html.contains("Nothing matches") && html.contains("Nearest by meaning"));
    assert!(html.contains("/articles/99000001?q=mus+pain"), "{html}");
    assert!(!html.contains("no filter holds"));
    let html = show_with(&request("mus pain"), &response, &nearest(true));
    assert!(html.contains("no filter holds"), "{html}");
}
