//! Four articles with something in every field.

use super::article;
use crate::article::*;

fn term(name: &str, ui: &str) -> MeshTerm {
    MeshTerm {
        name: name.into(),
        ui: Some(ui.into()),
    }
}

fn person(last: &str, fore: &str, initials: &str) -> PersonName {
    PersonName {
        last: last.into(),
        fore: Some(fore.into()),
        initials: Some(initials.into()),
        suffix: None,
    }
}

fn author(last: &str, fore: &str, initials: &str) -> Author {
    Author {
        name: Some(person(last, fore, initials)),
        ..Author::default()
    }
}

fn event(name: &str, (year, month, day): (i32, u8, u8)) -> HistoryDate {
    HistoryDate {
        event: name.into(),
        date: PubDate::calendar(year, Some(month), Some(day)).unwrap(),
        time: None,
    }
}

fn id(kind: &str, value: &str) -> OtherId {
    OtherId {
        kind: kind.into(),
        value: value.into(),
        valid: true,
    }
}

pub(super) fn articles() -> Vec<Article> {
    vec![
        trial(),
        laboratory(),
        gout(),
        article("4", "Mass vaccination", ""),
    ]
}

fn trial() -> Article {
    let mut trial = article(
        "1",
        "Treating asthma",
        "Inhaled steroids, given to children, work.",
    );
    let mut first = author("Meyer", "Karin Sofie", "KS");
    first.affiliations.push(Affiliation {
        name: "University Hospital, Heidelberg, Germany".into(),
        ..Affiliation::default()
    });
    first.identifiers.push(Identifier {
        source: "ORCID".into(),
        value: "0000-0001-2345-6789".into(),
    });
    trial.authors = vec![first, author("Lang", "Ute", "U")];
    trial.mesh = vec![
        MeshHeading {
            descriptor: term("Asthma", "D001249"),
            qualifiers: vec![(term("drug therapy", "Q000188"), true)],
            ..MeshHeading::default()
        },
        MeshHeading {
            descriptor: term("Humans", "D006801"),
            ..MeshHeading::default()
        },
    ];
    trial.keywords = vec![KeywordList {
        owner: None,
        keywords: vec![Keyword {
            text: "wheeze".into(),
            major: false,
        }],
    }];
    trial.journal = Some(Journal {
        title: "The Journal of biological chemistry".into(),
        medline_abbreviation: Some("J Biol Chem".into()),
        nlm_id: Some("2985121R".into()),
        issn: Some("1083-351X".into()),
        volume: Some("12".into()),
        issue: Some("3".into()),
        country: Some("United States".into()),
        ..Journal::default()
    });
    trial.pages = Some(Pages {
        medline: Some("101-9".into()),
        ..Pages::default()
    });
    trial.published = Some(PubDate::calendar(2019, Some(3), Some(4)).unwrap());
    trial.history = vec![
        event("pubmed", (2021, 2, 1)),
        event("entrez", (2021, 1, 31)),
        event("medline", (2022, 5, 6)),
        event("completed", (2022, 6, 7)),
        event("last-revised", (2023, 1, 1)),
    ];
    trial.languages = vec!["eng".into()];
    trial.status = Some("MEDLINE".into());
    trial.owner = Some("NLM".into());
    trial.citation_subsets = vec!["AIM".into()];
    trial
}

fn laboratory() -> Article {
    let mut laboratory = article("2", "IL-5 in severe asthma", "Cells of the airway.");
    laboratory.authors = vec![
        author("Özgür-Smith", "Jale", "J"),
        author("Meyer", "Klaus", "K"),
        Author {
            collective: Some("Lung Study Group".into()),
            ..Author::default()
        },
    ];
    laboratory.mesh = vec![MeshHeading {
        descriptor: term("Status Asthmaticus", "D013224"),
        qualifiers: vec![(term("drug therapy", "Q000188"), false)],
        ..MeshHeading::default()
    }];
    laboratory.keywords = vec![KeywordList {
        owner: None,
        keywords: vec![],
    }];
    laboratory.supplementary_concepts = vec![SupplementaryConcept {
        concept: term("Bronchial protein X", "C000001"),
        kind: None,
    }];
    laboratory.chemicals = vec![
        Chemical {
            substance: term("Albuterol", "D000420"),
            registry_number: Some("QF8SVZ843E".into()),
        },
        Chemical {
            substance: term("Salbutamol sulphate", "D000421"),
            registry_number: Some("0".into()),
        },
    ];
    laboratory.databanks = vec![Databank {
        name: "ClinicalTrials.gov".into(),
        accessions: vec!["NCT00000123".into()],
    }];
    laboratory.grants = vec![Grant {
        id: Some("HL012345".into()),
        acronym: Some("HL".into()),
        agency: Some("NHLBI NIH HHS".into()),
        country: Some("United States".into()),
    }];
    laboratory.published = Some(PubDate::calendar(2020, Some(1), None).unwrap());
    laboratory.history = vec![event("electronic", (2019, 12, 1))];
    laboratory.languages = vec!["eng".into()];
    laboratory.status = Some("Publisher".into());
    laboratory
}

fn gout() -> Article {
    let mut gout = article(
        "3",
        "[Gout]",
        "TNF-α, anti-inflammatory drugs, and a vaccine.",
    );
    gout.vernacular_title = "Gicht".into();
    gout.authors = vec![author("Noack", "Ilse M P", "IMP")];
    gout.body = vec![Section {
        text: "A urate crystal.".into(),
        ..Section::default()
    }];
    gout.investigators = vec![NamedPerson {
        name: person("Bauer", "Emil", "E"),
        ..NamedPerson::default()
    }];
    gout.conflict_of_interest = Some("IN received royalties.".into());
    gout.published = Some(PubDate::medline("1998 Dec-1999 Jan"));
    gout.publication_types = vec![term("Review", "D016454")];
    gout.languages = vec!["ger".into()];
    gout.other_ids = vec![id("doi", "10.1000/gout(1)x"), id("pmc", "PMC77")];
    gout
}
