//! The search form.

use super::chips;
use super::html::Html;
use medsift::Fusion;
use medsift::query::{Mode, QueryRequest, Sort, Syntax};

/// Publication types that people filter by; the field takes any other too.
const PUBLICATION_TYPES: [&str; 10] = [
    "Case Reports",
    "Clinical Trial",
    "Comparative Study",
    "Editorial",
    "Guideline",
    "Letter",
    "Meta-Analysis",
    "Randomized Controlled Trial",
    "Review",
    "Systematic Review",
];

/// Writes the form, filled with a request. `default_mode` is what a request
/// without a mode gets.
pub(crate) fn write(html: &mut Html, request: &QueryRequest, default_mode: Mode) {
    write_form(html, request, default_mode, false);
}

/// The same where searching is all there is to do: whoever comes can type.
pub(crate) fn write_focused(html: &mut Html, request: &QueryRequest, default_mode: Mode) {
    write_form(html, request, default_mode, true);
}

fn write_form(html: &mut Html, request: &QueryRequest, default_mode: Mode, focused: bool) {
    let attributes = [
        ("id", "search"),
        ("class", "search"),
        ("action", "/"),
        ("role", "search"),
        ("aria-label", "Literature"),
    ];
    html.element("form", &attributes, |html| {
        search_box(html, &request.query, focused);
        html.element("div", &[("class", "options")], |html| {
            modes(html, request.mode, default_mode);
            filters(html, request);
        });
        carried_along(html, request);
    });
}

fn search_box(html: &mut Html, query: &str, focused: bool) {
    html.element("div", &[("class", "box")], |html| {
        html.raw("<label class=\"hidden\" for=\"q\">Search the literature</label>");
        html.raw(
            "<svg class=\"glass\" aria-hidden=\"true\" viewBox=\"0 0 24 24\">\
             <circle cx=\"10.5\" cy=\"10.5\" r=\"6.5\"/><path d=\"m15.5 15.5 5 5\"/></svg>",
        );
        let mut attributes = vec![
            ("id", "q"),
            ("name", "q"),
            ("type", "search"),
            ("maxlength", "4000"),
            ("placeholder", "Words, or a question …"),
            ("autocomplete", "off"),
            ("autocapitalize", "off"),
            ("spellcheck", "false"),
            ("aria-keyshortcuts", "/"),
            ("data-suggest", "/v1/suggest"),
        ];
        if focused {
            attributes.push(("autofocus", ""));
        }
        if !query.is_empty() {
            attributes.push(("value", query));
        }
        html.open("input", &attributes);
        html.raw("<kbd aria-hidden=\"true\">/</kbd>")
            .raw("<button type=\"submit\">Search</button>")
            .raw("<ul id=\"suggestions\" aria-label=\"Suggestions\" hidden></ul>")
            .raw("<span id=\"suggested\" class=\"hidden\" role=\"status\"></span>");
    });
}

/// The button of the default mode sends nothing: nobody who leaves it as it is
/// insists on that mode, and gets what there is where it cannot be had.
fn modes(html: &mut Html, chosen: Option<Mode>, default: Mode) {
    html.element("fieldset", &[("class", "modes")], |html| {
        html.raw("<legend class=\"hidden\">Search by</legend>");
        for mode in Mode::ALL {
            let (label, hint) = match mode {
                Mode::Hybrid => ("Hybrid", "words and meaning together"),
                Mode::Keyword => ("Keyword", "articles that hold the words"),
                Mode::Semantic => ("Semantic", "articles that mean the same"),
            };
            let value = if mode == default { "" } else { mode.as_str() };
            let mut attributes = vec![("type", "radio"), ("name", "mode"), ("value", value)];
            if mode == chosen.unwrap_or(default) {
                attributes.push(("checked", ""));
            }
            html.element("label", &[("title", hint)], |html| {
                html.open("input", &attributes).leaf("span", &[], label);
            });
        }
    });
}

fn filters(html: &mut Html, request: &QueryRequest) {
    let active = chips::count(&request.filter);
    html.element("details", &[("class", "filters")], |html| {
        html.element("summary", &[], |html| {
            html.raw("Filters");
            if active > 0 {
                html.raw(" <span class=\"count\">")
                    .text(active)
                    .raw("<span class=\"hidden\"> in force</span></span>");
            }
        });
        html.element("div", &[("class", "panel")], |html| {
            years(html, request);
            let filter = &request.filter;
            let lists = [
                (
                    "publication_type",
                    "Publication type",
                    "Review",
                    &filter.publication_type,
                ),
                ("journal", "Journal", "Lancet or 0140-6736", &filter.journal),
                (
                    "mesh",
                    "MeSH heading",
                    "Diabetes Mellitus, Type 2",
                    &filter.mesh,
                ),
                ("language", "Language", "eng, ger, fre", &filter.language),
                (
                    "entity",
                    "Named in the text",
                    "metformin or MESH:D008687",
                    &filter.entity,
                ),
                (
                    "relation",
                    "Said in the text",
                    "induces|metformin|*",
                    &filter.relation,
                ),
            ];
            for (name, label, example, values) in lists {
                list_field(html, name, label, example, values);
            }
            html.element("datalist", &[("id", "publication-types")], |html| {
                for kind in PUBLICATION_TYPES {
                    html.open("option", &[("value", kind)]);
                }
            });
            checks(html, request);
            html.raw("<p class=\"apply\"><button type=\"submit\">Apply</button></p>");
        });
    });
}

fn years(html: &mut Html, request: &QueryRequest) {
    let range = request.filter.year.unwrap_or_default();
    html.raw("<fieldset class=\"field years\"><legend>Year</legend>");
    for (name, label, year) in [
        ("year_from", "From", range.from),
        ("year_to", "To", range.to),
    ] {
        let value = year.map(|year| year.to_string()).unwrap_or_default();
        let mut attributes = vec![
            ("name", name),
            ("type", "number"),
            ("inputmode", "numeric"),
            ("aria-label", label),
            ("placeholder", label),
        ];
        if !value.is_empty() {
            attributes.push(("value", &value));
        }
        html.open("input", &attributes);
    }
    html.raw("</fieldset>");
}

/// A field for the first value; further ones go along unseen, since each has
/// its chip above the hits.
fn list_field(
    html: &mut Html,
    name: &'static str,
    label: &'static str,
    example: &'static str,
    values: &[String],
) {
    html.element("label", &[("class", "field")], |html| {
        html.leaf("span", &[], label);
        let mut attributes = vec![
            ("name", name),
            ("placeholder", example),
            ("autocomplete", "off"),
        ];
        if name == "publication_type" {
            attributes.push(("list", "publication-types"));
        }
        if let Some(first) = values.first() {
            attributes.push(("value", first));
        }
        html.open("input", &attributes);
    });
    for value in values.iter().skip(1) {
        hidden(html, name, value);
    }
}

/// Filters that are on or off. The opposite of what a box stands for can come
/// from an address; it goes along unseen then, and has a chip.
fn checks(html: &mut Html, request: &QueryRequest) {
    html.raw("<fieldset class=\"checks\"><legend class=\"hidden\">Show</legend>");
    let boxes = [
        (
            "has_abstract",
            "true",
            "With abstract only",
            request.filter.has_abstract,
        ),
        (
            "retracted",
            "false",
            "Hide retracted",
            request.filter.retracted.map(|only| !only),
        ),
        ("explain", "true", "Show scores", Some(request.explain)),
    ];
    for (name, value, label, state) in boxes {
        if name != "explain" && state == Some(false) {
            hidden(html, name, if value == "true" { "false" } else { "true" });
            continue;
        }
        let mut attributes = vec![("type", "checkbox"), ("name", name), ("value", value)];
        if state == Some(true) {
            attributes.push(("checked", ""));
        }
        html.element("label", &[("class", "check")], |html| {
            html.open("input", &attributes).leaf("span", &[], label);
        });
    }
    html.raw("</fieldset>");
}

/// What an address may ask for and the form does not show.
fn carried_along(html: &mut Html, request: &QueryRequest) {
    if let Some(limit) = request.limit {
        hidden(html, "limit", &limit.to_string());
    }
    if request.exact {
        hidden(html, "exact", "true");
    }
    for enrichment in &request.enrich {
        hidden(html, "enrich", enrichment.as_str());
    }
    if request.sort != Sort::default() {
        hidden(html, "sort", request.sort.as_str());
    }
    if request.syntax != Syntax::default() {
        hidden(html, "syntax", request.syntax.as_str());
    }
    let (method, k, weight) = match &request.fusion {
        None => return,
        Some(Fusion::Rrf { k, semantic_weight }) => ("rrf", Some(k), semantic_weight),
        Some(Fusion::Weighted { semantic_weight }) => ("weighted", None, semantic_weight),
    };
    hidden(html, "fusion", method);
    if let Some(k) = k {
        hidden(html, "fusion_k", &k.to_string());
    }
    hidden(html, "semantic_weight", &weight.to_string());
}

fn hidden(html: &mut Html, name: &'static str, value: &str) {
    html.open(
        "input",
        &[("type", "hidden"), ("name", name), ("value", value)],
    );
}
