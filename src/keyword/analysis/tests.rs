use super::*;
use proptest::prelude::*;

fn terms(text: &str) -> Vec<String> {
    Analyzer::new()
        .analyze(text)
        .tokens()
        .into_iter()
        .map(|token| token.term)
        .collect()
}

/// `term@position` of every token.
fn placed(text: &str) -> String {
    let tokens = Analyzer::new().analyze(text).tokens();
    let words: Vec<String> = tokens
        .iter()
        .map(|token| format!("{}@{}", token.term, token.position))
        .collect();
    words.join(" ")
}

#[test]
fn biomedical_examples() {
    let table = [
        ("IL-2", "il2@0 il@0 2@1"),
        ("IL2", "il2@0 il@0 2@1"),
        ("TNF-α", "tnfalpha@0 tnf@0 alpha@1"),
        ("TNFα", "tnfalpha@0 tnf@0 alpha@1"),
        ("TNFalpha", "tnfalpha@0 tnf@0 alpha@1"),
        ("TNF-alpha", "tnfalpha@0 tnf@0 alpha@1"),
        ("tnf-alpha", "tnfalpha@0 tnf@0 alpha@1"),
        ("β-catenin", "betacatenin@0 beta@0 catenin@1"),
        ("Beta-Catenin", "betacatenin@0 beta@0 catenin@1"),
        ("ß-carotene", "betacaroten@0 beta@0 caroten@1"),
        ("Straße", "strass@0"),
        ("IL-2-receptors", "il2receptor@0 il@0 2@1 receptor@2"),
        ("1,000-fold", "1000fold@0 1000@0 fold@1"),
        ("p53", "p53@0 p@0 53@1"),
        ("c.248T>C", "c248tc@0 c@0 248t@1 248@1 t@2 c@3"),
        ("5-HT2A", "5ht2a@0 5@0 ht2a@1 ht@1 2@2 a@3"),
        ("SARS-CoV-2", "sarscov2@0 sars@0 cov@1 2@2"),
        ("CO2", "co2@0 co@0 2@1"),
        ("CO₂", "co2@0 co@0 2@1"),
        ("HER2", "her2@0 her@0 2@1"),
        ("AIDS", "aids@0"),
        ("aids", "aid@0"),
        ("NSAIDs", "nsaid@0"),
        ("SNPs", "snp@0"),
        ("Crohn's disease", "crohn@0 diseas@1"),
        ("Crohn’s", "crohn@0"),
        ("patients'", "patient@0"),
        ("O'Brien", "obrien@0 o@0 brien@1"),
        ("NF-κB", "nfkappab@0 nf@0 kappab@1 kappa@1 b@2"),
        ("αβ", "alphabeta@0 alpha@0 beta@1"),
        ("PGC-1α", "pgc1alpha@0 pgc@0 1alpha@1 1@1 alpha@2"),
        ("5 μg/mL", "5@0 ugml@1 ug@1 ml@2"),
        ("0.05", "0.05@0"),
        ("p<0.001", "p@0 0.001@1"),
        ("1,000 patients", "1000@0 patient@1"),
        (
            "1,25-dihydroxyvitamin",
            "1-25dihydroxyvitamin@0 1@0 25@1 dihydroxyvitamin@2",
        ),
        ("Na+/K+-ATPase", "nakatpas@0 na@0 k@1 atpase@2"),
        ("5'-UTR", "5utr@0 5@0 utr@1"),
        ("5′-UTR", "5utr@0 5@0 utr@1"),
        (
            "Schrödinger Ångström naïve",
            "schroding@0 angstrom@1 naiv@2",
        ),
        ("co\u{ad}operate", "cooper@0"),
        ("meta-analyses", "metaanalys@0 meta@0 analys@1"),
        ("COVID\u{2010}19", "covid19@0 covid@0 19@1"),
        ("mRNA", "mrna@0"),
        ("Aspirin® tablets", "aspirin@0 tablet@1"),
        ("EC 3.4.21.5", "ec@0 3.4.21.5@1"),
        ("BACKGROUND: to see", "background@0 to@1 see@2"),
        ("胃癌", "胃@0 癌@1"),
        ("--- ( : \"", ""),
        ("10:1", "10-1@0 10@0 1@1"),
    ];
    for (text, expected) in table {
        assert_eq!(placed(text), expected, "{text}");
    }
}

#[test]
fn titles_in_capitals_are_words() {
    assert_eq!(
        terms("EFFECTS OF AIDS ON HEADACHES"),
        [
            "effect",
            "effects",
            "of",
            "aid",
            "aids",
            "on",
            "headach",
            "headaches"
        ]
    );
}

#[test]
fn greek_letters_and_names_are_one_term() {
    for letter in ('α'..='ω').filter(|&c| c != 'ς') {
        let name = greek::name(letter).unwrap();
        assert_eq!(terms(&letter.to_string()), [name]);
        assert_eq!(terms(name), [name]);
        assert_eq!(terms(&letter.to_uppercase().to_string()), [name]);
    }
}

#[test]
fn offsets_are_into_the_original() {
    let text = "The CO₂ of e\u{301}clair’s β‑catenin.";
    let tokens = Analyzer::new().analyze(text).tokens();
    let of = |term: &str| {
        let token = tokens.iter().find(|token| token.term == term).unwrap();
        &text[token.range.clone()]
    };
    assert_eq!(of("co2"), "CO₂");
    assert_eq!(of("eclair"), "e\u{301}clair");
    assert_eq!(of("betacatenin"), "β‑catenin");
    assert_eq!(of("catenin"), "catenin");
}

fn text() -> impl Strategy<Value = String> {
    let bits = prop::sample::select(vec![
        "IL", "-", "2", " ", "α", "/", "TNF", "alpha", ".", "'s", "é", "e\u{301}", "½", "ﬁ", "μ",
        "g", "1,000", "κB", "™", "胃", "\u{ad}", "THE", "AIDS", ">", "+", "(", "İ", "Ǆ", "ß", "’",
    ]);
    prop_oneof![
        any::<String>(),
        prop::collection::vec(bits, 0..12).prop_map(|bits| bits.concat()),
    ]
}

proptest! {
    #[test]
    fn offsets_are_valid_and_positions_rise(text in text()) {
        let tokens = Analyzer::new().analyze(&text).tokens();
        let mut position = 0;
        for token in &tokens {
            prop_assert!(text.is_char_boundary(token.range.start));
            prop_assert!(text.is_char_boundary(token.range.end));
            prop_assert!(token.range.start < token.range.end);
            prop_assert!(token.range.end <= text.len());
            prop_assert!(!token.term.is_empty());
            prop_assert!(token.position + 16 >= position, "positions fall back");
            position = position.max(token.position);
        }
    }

    #[test]
    fn a_token_analysed_by_itself_gives_its_term(text in "[A-Za-z0-9αβκ'./ -]{0,24}") {
        let mut analyzer = Analyzer::new();
        let analysis = analyzer.analyze(&text);
        prop_assume!(!analysis.shouting);
        for chunk in &analysis.chunks {
            let own = analyzer.analyze(&text[chunk.range.clone()]);
            prop_assert_eq!(own.chunks.len(), 1);
            prop_assert_eq!(&own.chunks[0].whole, &chunk.whole);
            let of = |chunk: &Chunk| -> Vec<String> {
                chunk.units.iter().map(|unit| unit.term.clone()).collect()
            };
            prop_assert_eq!(of(&own.chunks[0]), of(chunk));
        }
    }

    #[test]
    fn case_and_composition_do_not_count_in_symbols(text in "[a-z]{1,3}-?[0-9]{1,3}[αβγ]?") {
        prop_assert_eq!(terms(&text), terms(&text.to_uppercase()));
    }

    #[test]
    fn exact_values_are_stable(text in any::<String>()) {
        let once = exact_value(&text);
        prop_assert_eq!(exact_value(&once), once.clone());
    }
}
