//! How queries are read. The forms are those that the help page of PubMed
//! (<https://pubmed.ncbi.nlm.nih.gov/help/>) explains, with terms of our own.

use super::*;

#[test]
fn operators_run_from_left_to_right() {
    for (query, reading) in [
        ("asthma", "asthma"),
        ("cough AND fever", "cough AND fever"),
        ("cough AND fever OR rash", "(cough AND fever) OR rash"),
        (
            "cough OR fever AND rash NOT mumps",
            "((cough OR fever) AND rash) NOT mumps",
        ),
        ("cough AND (fever OR rash)", "cough AND (fever OR rash)"),
        ("(cough AND fever) AND rash", "cough AND fever AND rash"),
        ("cough AND (fever AND rash)", "cough AND (fever AND rash)"),
        ("a NOT b NOT c", "a NOT b NOT c"),
        ("((cough))", "cough"),
        ("cough and fever", "cough and fever"),
    ] {
        assert_eq!(written(query), reading, "{query}");
    }
}

#[test]
fn what_stands_side_by_side_is_joined_by_and() {
    for (query, reading) in [
        (
            "\"hip fracture\" vitamin d",
            "\"hip fracture\" AND vitamin d",
        ),
        (
            "gout[mh] colchicine[tiab]",
            "\"gout\"[MeSH Terms] AND colchicine[Title/Abstract]",
        ),
        (
            "gout(allopurinol OR febuxostat)",
            "gout AND (allopurinol OR febuxostat)",
        ),
        ("gout hasabstract", "gout AND \"hasabstract\"[Filter]"),
        ("gout AND(diet)", "gout AND diet"),
    ] {
        assert_eq!(written(query), reading, "{query}");
    }
}

#[test]
fn a_tag_holds_for_the_words_before_it() {
    for (query, reading) in [
        ("kidney stone[ti]", "kidney stone[Title]"),
        ("kidney stone [Title]", "kidney stone[Title]"),
        ("“kidney stone”[TIAB]", "\"kidney stone\"[Title/Abstract]"),
        ("smith ja[1au]", "smith ja[Author - First]"),
        (
            "Smith, John A[Author - Full]",
            "Smith, John A[Author - Full]",
        ),
        (
            "lancet[jour] AND 2019[pdat]",
            "lancet[Journal] AND 2019[Date - Publication]",
        ),
        ("review[Publication Type]", "review[Publication Type]"),
        (
            "clinical trial[pt:noexp]",
            "clinical trial[Publication Type:noexp]",
        ),
        (
            "10.1016/S0140-6736(02)08187-5[doi]",
            "10.1016/S0140-6736(02)08187-5[DOI]",
        ),
        ("Ca(2+) channel[ti]", "Ca(2+) channel[Title]"),
        ("25(OH)D[tiab]", "25(OH)D[Title/Abstract]"),
        (
            "N-(4-hydroxyphenyl)retinamide[nm]",
            "N-(4-hydroxyphenyl)retinamide[Supplementary Concept]",
        ),
        (
            "gout[ti] OR(poly(ADP-ribose)[ti] AND diet[ti])",
            "gout[Title] OR (poly(ADP-ribose)[Title] AND diet[Title])",
        ),
        ("systematic[sb]", "\"systematic\"[Filter]"),
        ("free full text[sb]", "\"free full text\"[Filter]"),
        ("NCT00000123[si]", "NCT00000123[Secondary Source ID]"),
    ] {
        assert_eq!(written(query), reading, "{query}");
    }
}

#[test]
fn a_parenthesis_belongs_to_a_word_where_the_word_closes_it() {
    for (query, reading) in [
        ("(10.1(a(b)c)d OR gout)", "10.1(a(b)c)d OR gout"),
        // The word ends at the quotation mark, before its parenthesis is closed.
        ("10.1(\"Ca(2+)\")", "10.1 AND \"Ca(2+)\""),
        (
            "gout AND (diet OR 10.1(b )",
            "gout AND ((diet OR 10.1) AND b)",
        ),
    ] {
        let tree = parse_lenient(query, Limits::default()).tree;
        let read = tree.map(|tree| tree.to_string());
        assert_eq!(read.as_deref(), Some(reading), "{query}");
    }
}

#[test]
fn mesh_headings_have_qualifiers_and_may_stay_unexploded() {
    for (query, reading) in [
        ("asthma[mh]", "\"asthma\"[MeSH Terms]"),
        (
            "\"Asthma\"[MeSH Terms:noexp]",
            "\"Asthma\"[MeSH Terms:noexp]",
        ),
        (
            "asthma/drug therapy[mh]",
            "\"asthma/drug therapy\"[MeSH Terms]",
        ),
        (
            "diabetes mellitus, type 2[majr]",
            "\"diabetes mellitus, type 2\"[MeSH Major Topic]",
        ),
        ("asthma[majr:noexp]", "\"asthma\"[MeSH Major Topic:noexp]"),
        ("asth*[mh]", "asth*[MeSH Terms]"),
    ] {
        assert_eq!(written(query), reading, "{query}");
    }
}

#[test]
fn ranges_of_dates() {
    for (query, reading) in [
        ("2019[dp]", "2019[Date - Publication]"),
        ("2019:2023[dp]", "2019:2023[Date - Publication]"),
        ("2019 : 2023 [dp]", "2019:2023[Date - Publication]"),
        ("2019/1/5[edat]", "2019/01/05[Date - Entry]"),
        (
            "\"2019/01/01\"[dp] : \"3000\"[dp]",
            "2019/01/01:3000[Date - Publication]",
        ),
        (
            "\"2019/01/01\"[Date - Publication]:\"3000\"[Date - Publication]",
            "2019/01/01:3000[Date - Publication]",
        ),
        ("\"2019\":\"2020\"[crdt]", "2019:2020[Date - Create]"),
        (
            "gout AND 2019/03:2019/06[lr]",
            "gout AND 2019/03:2019/06[Date - Modification]",
        ),
        (
            "gout AND (2019[dp] : 2020[dp])",
            "gout AND 2019:2020[Date - Publication]",
        ),
    ] {
        assert_eq!(written(query), reading, "{query}");
    }
}

#[test]
fn truncation_and_proximity() {
    for (query, reading) in [
        ("immun*", "immun*"),
        ("\"HLA-B*57:01\"[tiab]", "\"HLA-B*57:01\"[Title/Abstract]"),
        ("CYP2D6*4 allel*", "CYP2D6*4 allel*"),
        ("gout : a review", "gout a review"),
        ("\"breast feed*\"[tiab]", "\"breast feed*\"[Title/Abstract]"),
        (
            "\"screening colon cancer\"[tiab:~3]",
            "\"screening colon cancer\"[Title/Abstract:~3]",
        ),
        ("\"hip pain\"[Title:~0]", "\"hip pain\"[Title:~0]"),
        ("hip pain[ad:~2]", "\"hip pain\"[Affiliation:~2]"),
    ] {
        assert_eq!(written(query), reading, "{query}");
    }
}

#[test]
fn what_was_found_in_articles_is_asked_for_before_or_behind_its_value() {
    for (query, reading) in [
        ("entity:MESH:D003924", "\"MESH:D003924\"[Entity]"),
        ("MESH:D003924[entity]", "\"MESH:D003924\"[Entity]"),
        ("\"Gene:BRCA1\"[Entity]", "\"Gene:BRCA1\"[Entity]"),
        ("gout entity:metformin", "gout AND \"metformin\"[Entity]"),
        (
            "ENTITY:\"lactic acidosis\" AND gout",
            "\"lactic acidosis\"[Entity] AND gout",
        ),
        (
            "relation:induces|D008687|* OR entity:x",
            "\"induces|D008687|*\"[Relation] OR \"x\"[Entity]",
        ),
        ("*|*|gout[relation]", "\"*|*|gout\"[Relation]"),
        (
            "relation:\"induces | metformin | lactic acidosis\"",
            "\"induces|metformin|lactic acidosis\"[Relation]",
        ),
        ("entity : x", "entity x"),
        ("entity: x", "x"),
    ] {
        let read = match query {
            // Forgiven: nothing stands behind the colon.
            "entity: x" => parse_lenient(query, Limits::default())
                .tree
                .unwrap()
                .to_string(),
            _ => written(query),
        };
        assert_eq!(read, reading, "{query}");
    }
}

#[test]
fn the_tree_as_json() {
    let tree = read("gout[mh] AND (diet[ti] OR \"2019\"[dp]) NOT smith j[au]");
    let json = serde_json::to_value(&tree).unwrap();
    let expected = serde_json::json!({
        "op": "NOT",
        "operands": [
            { "op": "AND", "operands": [
                { "type": "mesh", "heading": "gout", "major": false, "explode": true },
                { "op": "OR", "operands": [
                    { "type": "term", "text": "diet", "field": "ti" },
                    { "type": "range", "field": "dp", "from": { "year": 2019 }, "to": { "year": 2019 } },
                ] },
            ] },
            { "type": "term", "text": "smith j", "field": "au" },
        ],
    });
    assert_eq!(json, expected);
}
