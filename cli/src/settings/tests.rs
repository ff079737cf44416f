use super::*;
use medsift::Fusion;
use medsift::query::Mode;
use std::fs;
use std::path::Path;

/// The file that ships, which lists every key.
const SHIPPED: &str = include_str!("../../../config/index.toml");

fn resolve(text: &str, variables: &[(&str, &str)]) -> std::result::Result<Settings, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("medsift.toml");
    fs::write(&path, text).unwrap();
    let environment = variables
        .iter()
        .map(|&(name, value)| (name.into(), value.into()));
    Settings::resolve(&[path], environment).map_err(|error| error.report().unwrap_or_default())
}

#[test]
fn nothing_gives_the_defaults() {
    assert_eq!(resolve("", &[]).unwrap(), Settings::default());
}

#[test]
fn the_shipped_file_holds_the_defaults_and_every_key() {
    assert_eq!(resolve(SHIPPED, &[]).unwrap(), Settings::default());
    let named = keys::leaves(&SHIPPED.parse().unwrap());
    let absent: Vec<String> = keys::known()
        .into_iter()
        .filter(|key| !key.starts_with("server."))
        .filter(|key| {
            let last = key.rsplit('.').next().unwrap();
            !named.contains(key) && !SHIPPED.contains(&format!("# {last} = "))
        })
        .collect();
    assert!(absent.is_empty(), "config/index.toml lacks {absent:?}");
}

#[test]
fn every_key_of_the_shipped_file_is_explained() {
    let mut previous = "";
    for line in SHIPPED.lines().filter(|line| !line.trim().is_empty()) {
        if line.contains(" = ") && !line.starts_with('#') {
            assert!(previous.starts_with('#'), "no comment before {line}");
        }
        previous = line;
    }
}

#[test]
fn the_environment_wins_over_the_file() {
    let text = "[search]\nef_search = 50\n[search.query]\nlimit = 7\n";
    let settings = resolve(text, &[("MEDSIFT_SEARCH_EF_SEARCH", "75")]).unwrap();
    assert_eq!(settings.search.ef_search, 75);
    assert_eq!(settings.search.query.limit, 7);
}

#[test]
fn words_and_numbers_come_from_the_environment() {
    let settings = resolve(
        "",
        &[
            ("MEDSIFT_SEARCH_QUERY_MODE", "keyword"),
            ("MEDSIFT_ENCODER_THREADS", "3"),
        ],
    )
    .unwrap();
    assert_eq!(settings.search.query.mode, Mode::Keyword);
    assert_eq!(settings.encoder.threads, 3);
}

#[test]
fn the_fusion_can_be_changed_key_by_key() {
    let settings = resolve(
        "",
        &[
            ("MEDSIFT_SEARCH_QUERY_FUSION_K", "30"),
            ("MEDSIFT_SEARCH_QUERY_FUSION_METHOD", "rrf"),
        ],
    )
    .unwrap();
    let Fusion::Rrf { k, .. } = settings.search.query.fusion else {
        panic!("{:?}", settings.search.query.fusion);
    };
    assert_eq!(k, 30.0);
}

#[test]
fn a_later_file_wins_key_by_key() {
    let dir = tempfile::tempdir().unwrap();
    let paths = [dir.path().join("a.toml"), dir.path().join("b.toml")];
    fs::write(&paths[0], "[search]\nef_search = 1\ncandidates = 2000\n").unwrap();
    fs::write(&paths[1], "[search]\nef_search = 2\n").unwrap();
    let settings = Settings::resolve(&paths, []).unwrap();
    assert_eq!(settings.search.ef_search, 2);
    assert_eq!(settings.search.candidates, 2000);
}

#[test]
fn an_unknown_key_names_itself_its_file_and_the_nearest() {
    let message = resolve("[search]\nef_serch = 50\n", &[]).unwrap_err();
    for part in ["medsift.toml", "search.ef_serch", "search.ef_search?"] {
        assert!(message.contains(part), "{message:?} lacks {part:?}");
    }
    let message = resolve("[serch]\nef_search = 50\n", &[]).unwrap_err();
    assert!(
        message.contains("did you mean search.ef_search?"),
        "{message}"
    );
    let message = resolve("[search.qqqqqqqqqqqqqqqqqqqqqqqqqqq]\n", &[]).unwrap_err();
    assert!(message.contains("config/index.toml"), "{message}");
}

#[test]
fn an_unknown_variable_names_itself_and_the_nearest() {
    let message = resolve("", &[("MEDSIFT_SEARCH_CANDIDATE", "5")]).unwrap_err();
    assert!(message.contains("MEDSIFT_SEARCH_CANDIDATE:"), "{message}");
    assert!(message.contains("MEDSIFT_SEARCH_CANDIDATES?"), "{message}");
}

#[test]
fn variables_of_other_purposes_are_left_alone() {
    let variables = [
        ("MEDSIFT_CACHE", "/c"),
        ("PATH", "/bin"),
        ("MEDSIFT_TEST_X", "1"),
    ];
    assert_eq!(resolve("", &variables).unwrap(), Settings::default());
}

#[test]
fn a_value_of_a_wrong_type_names_its_place() {
    let message = resolve("[search]\nef_search = \"many\"\n", &[]).unwrap_err();
    assert!(message.contains("line 2"), "{message}");
    let message = resolve("", &[("MEDSIFT_SEARCH_EF_SEARCH", "many")]).unwrap_err();
    assert!(message.contains("MEDSIFT_SEARCH_EF_SEARCH"), "{message}");
}

#[test]
fn broken_toml_shows_the_line() {
    let message = resolve("[search\n", &[]).unwrap_err();
    assert!(message.contains("line 1"), "{message}");
}

#[test]
fn an_absent_file_is_an_error() {
    let error = Settings::resolve(&[Path::new("absent.toml").into()], []).unwrap_err();
    assert!(error.report().unwrap().contains("absent.toml"));
}

#[test]
fn one_parameter_of_the_fusion_can_be_set_alone() {
    let name = "MEDSIFT_SEARCH_QUERY_FUSION_SEMANTIC_WEIGHT";
    let file = "[search.query.fusion]\nsemantic_weight = 0.25\n";
    for settings in [resolve("", &[(name, "0.25")]), resolve(file, &[])] {
        let expected = Fusion::Weighted {
            semantic_weight: 0.25,
        };
        assert_eq!(settings.unwrap().search.query.fusion, expected);
    }
}
