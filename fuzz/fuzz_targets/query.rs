//! Queries of PubMed's language: nothing panics, a tree prints as a query that is
//! read as the same tree, and forgiving reading always has an answer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use medsift::query::pubmed::{Limits, parse, parse_lenient, uses_syntax};
use medsift::query::{Query, QueryDefaults, QueryRequest};

fuzz_target!(|text: &str| {
    let _ = uses_syntax(text);
    if let Ok(tree) = parse(text, Limits::default()) {
        let printed = tree.to_string();
        let again = parse(&printed, Limits::default());
        assert_eq!(again.as_ref(), Ok(&tree), "{text:?} prints as {printed:?}");
    }
    let _ = parse_lenient(text, Limits::default());
    for lenient in [false, true] {
        let request = QueryRequest {
            query: text.to_owned(),
            lenient,
            ..QueryRequest::default()
        };
        let _ = Query::new(request, &QueryDefaults::default());
    }
});
