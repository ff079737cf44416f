//! From what was read to what is searched.

use super::super::{Date, Known, plain_words, translate};
use super::*;
use crate::error::Result;
use crate::mesh::MeshTable;

/// A made-up index: its words, journals, authors and publication types.
fn translated(query: &str, mesh: Option<&MeshTable>) -> Result<(String, Vec<String>)> {
    let forms = |word: &str| -> Result<Vec<String>> {
        if word.len() > 1 && word.chars().all(char::is_uppercase) {
            return Ok(vec![word.to_owned()]);
        }
        Ok(match word.to_lowercase().as_str() {
            "the" | "of" | "in" | "or" => Vec::new(),
            "headache" | "headaches" => vec!["headache".into(), "headaches".into()],
            other => vec![other.to_owned()],
        })
    };
    let known = Known {
        mesh,
        forms: &forms,
        is_journal: &|text| Ok(text == "journal of headaches"),
        is_author: &|text| {
            let names = ["meyer ks", "meyer in"];
            Ok(names.iter().any(|name| text.eq_ignore_ascii_case(name)))
        },
        is_publication_type: &|text| Ok(text == "review"),
        today: Date::parse("2024/02/29").unwrap(),
    };
    let translation = translate(&read(query), &known)?;
    Ok((translation.tree.to_string(), translation.warnings))
}

fn tree(query: &str, mesh: Option<&MeshTable>) -> String {
    translated(query, mesh).unwrap().0
}

#[test]
fn untagged_words_are_mapped() {
    let table = crate::mesh::tests::small();
    let mesh = Some(&table);
    for (query, reading) in [
        ("itching", "itching[All Fields]"),
        ("headaches", "headache[All Fields] OR headaches[All Fields]"),
        (
            "the itching of legs",
            "itching[All Fields] AND legs[All Fields]",
        ),
        ("of the", "of[All Fields] AND the[All Fields]"),
        ("asthma", "\"Asthma\"[MeSH Terms] OR asthma[All Fields]"),
        (
            "heart attack aspirin",
            "(\"Myocardial Infarction\"[MeSH Terms] OR (heart[All Fields] AND attack[All Fields]) OR \
             \"Myocardial Infarction\"[All Fields]) AND (\"Aspirin\"[MeSH Terms] OR aspirin[All Fields])",
        ),
        ("\"heart attack\"", "\"heart attack\"[All Fields]"),
        (
            "Meyer KS itching",
            "Meyer KS[Author] AND itching[All Fields]",
        ),
        ("meyer xy", "meyer[All Fields] AND xy[All Fields]"),
        (
            "journal of headaches",
            "\"journal of headaches\"[Journal] OR (journal[All Fields] AND (headache[All Fields] OR headaches[All Fields]))",
        ),
        ("itch* legs", "itch*[All Fields] AND legs[All Fields]"),
        ("english[la]", "eng[Language]"),
        ("asthma[tiab]", "asthma[Title/Abstract]"),
    ] {
        assert_eq!(tree(query, mesh), reading, "{query}");
        // A translation is a query that means itself.
        assert_eq!(tree(&tree(query, mesh), mesh), reading, "{query}");
    }
}

#[test]
fn headings_are_written_as_mesh_has_them() {
    let table = crate::mesh::tests::small();
    let (reading, warnings) = translated("heart attacks/mortality[majr]", Some(&table)).unwrap();
    assert_eq!(
        reading,
        "\"Myocardial Infarction/mortality\"[MeSH Major Topic]"
    );
    assert!(
        warnings[0].contains("is the MeSH heading `Myocardial Infarction`"),
        "{warnings:?}"
    );
    let (reading, warnings) = translated("astma[mh]", Some(&table)).unwrap();
    assert_eq!(reading, "\"astma\"[MeSH Terms]");
    assert!(warnings[0].contains("no heading `astma`"), "{warnings:?}");
    let (reading, warnings) = translated("asthma[mh] OR gout[mh]", None).unwrap();
    assert_eq!(reading, "\"asthma\"[MeSH Terms] OR \"gout\"[MeSH Terms]");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("no MeSH table"), "{warnings:?}");
    let (_, warnings) = translated("asthma[mh:noexp]", None).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn filters_become_what_they_mean() {
    for (query, reading) in [
        ("hasabstract", "\"hasabstract\"[Filter]"),
        ("humans[filter]", "\"Humans\"[MeSH Terms:noexp]"),
        ("english[filter]", "eng[Language]"),
        ("review[filter]", "\"review\"[Publication Type]"),
        ("medline[sb]", "\"medline\"[Filter]"),
        (
            "all[sb] NOT inprocess[sb]",
            "\"all\"[Filter] NOT \"in-process\"[Filter]",
        ),
        ("free full text[sb]", "\"pmc\"[Filter]"),
    ] {
        assert_eq!(tree(query, None), reading, "{query}");
        assert_eq!(tree(&tree(query, None), None), reading, "{query}");
    }
    assert!(tree("systematic[sb]", None).contains("\"systematic scoping review\"[Title]"));
    let (_, warnings) = translated("free full text[sb]", None).unwrap();
    assert!(warnings[0].contains("PubMed Central"), "{warnings:?}");
}

#[test]
fn what_cannot_be_searched_is_left_out_and_told() {
    for (query, reading) in [
        ("gout[ti] AND cancer[sb]", "gout[Title]"),
        ("gout[ti] OR antipyretics[pa]", "gout[Title]"),
        ("gout[ti] NOT cancer[sb]", "gout[Title]"),
        (
            "gout[ti] AND (cancer[sb] OR diet[ti])",
            "gout[Title] AND diet[Title]",
        ),
    ] {
        let (tree, warnings) = translated(query, None).unwrap();
        assert_eq!(tree, reading, "{query}");
        assert!(warnings[0].contains("left out"), "{query}: {warnings:?}");
    }
    for query in ["cancer[sb]", "antipyretics[pa] NOT gout[ti]"] {
        let error = translated(query, None).unwrap_err();
        assert_eq!(error.field(), Some("query"));
        assert!(error.to_string().contains("left out"), "{query}: {error}");
    }
    let (_, warnings) = translated("gout or itching", None).unwrap();
    assert!(warnings[0].contains("write OR"), "{warnings:?}");
}

#[test]
fn the_words_of_a_query() {
    for (query, words) in [
        (
            "gout[mh] AND diet therapy[tiab] NOT rats[ti]",
            "gout diet therapy",
        ),
        ("gout AND gout[ti] AND 2019[dp] AND smith j[au]", "gout"),
        ("gout NOT (rats NOT mice)", "gout mice"),
        ("\"hip pain\"[ti:~2] immun*", "hip pain"),
        ("immun*", "immun"),
        ("2019[dp]", ""),
    ] {
        assert_eq!(plain_words(&read(query)), words, "{query}");
    }
}

#[test]
fn a_function_word_is_no_initials() {
    for (query, reading) in [
        ("meyer in legs", "meyer[All Fields] AND legs[All Fields]"),
        ("Meyer IN legs", "Meyer IN[Author] AND legs[All Fields]"),
        ("meyer in", "meyer in[Author]"),
        (
            "MEYER IN LEGS",
            "MEYER[All Fields] AND IN[All Fields] AND LEGS[All Fields]",
        ),
        ("meyer ks legs", "meyer ks[Author] AND legs[All Fields]"),
    ] {
        assert_eq!(tree(query, None), reading, "{query}");
    }
}

#[test]
fn qualifiers_go_by_name_or_abbreviation() {
    let table = crate::mesh::tests::small();
    for (query, reading) in [
        ("asthma/dt[mh]", "\"Asthma/drug therapy\"[MeSH Terms]"),
        (
            "bronchial asthma/DT[majr:noexp]",
            "\"Asthma/drug therapy\"[MeSH Major Topic:noexp]",
        ),
        (
            "asthma/prevention and control[mh]",
            "\"Asthma/prevention & control\"[MeSH Terms]",
        ),
        (
            "asthma / pc [mh]",
            "\"Asthma/prevention & control\"[MeSH Terms]",
        ),
        ("dh[sh]", "\"diet therapy\"[MeSH Subheading]"),
        ("therapy[sh:noexp]", "therapy[MeSH Subheading:noexp]"),
        ("ther*[sh]", "ther*[MeSH Subheading]"),
    ] {
        for mesh in [Some(&table), None] {
            if mesh.is_none() && query.starts_with("bron") {
                continue;
            }
            let read = tree(query, mesh);
            assert_eq!(read.to_lowercase(), reading.to_lowercase(), "{query}");
            assert_eq!(tree(&read, mesh), read, "{query}");
        }
    }
    let (reading, warnings) = translated("asthma/drug theraphy[mh]", Some(&table)).unwrap();
    assert_eq!(reading, "\"Asthma/drug theraphy\"[MeSH Terms]");
    assert!(
        warnings[0].contains("did you mean `drug therapy`?"),
        "{warnings:?}"
    );
}

#[test]
fn spans_are_counted_back_from_the_day_of_the_search() {
    for (query, reading) in [
        (
            "\"last 5 years\"[dp]",
            "2019/02/28:3000[Date - Publication]",
        ),
        ("last 60 days[edat]", "2023/12/31:3000[Date - Entry]"),
        (
            "gout[ti] AND \"last 1 month\"[crdt]",
            "gout[Title] AND 2024/01/29:3000[Date - Create]",
        ),
    ] {
        assert_eq!(tree(query, None), reading, "{query}");
    }
    assert_eq!(
        written("Last 05 Years[pdat]"),
        "\"last 5 years\"[Date - Publication]"
    );
    let fault = parse("\"last 5 weeks\"[dp]", Limits::default()).unwrap_err();
    assert!(fault.remedy.contains("last 5 years"), "{fault}");
}
