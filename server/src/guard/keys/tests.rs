use super::*;
use axum::http::{HeaderName, HeaderValue};

fn from(name: &'static str, value: &str) -> Option<String> {
    let value = HeaderValue::from_str(value).unwrap();
    given(&HeaderMap::from_iter([(
        HeaderName::from_static(name),
        value,
    )]))
}

#[test]
fn a_key_comes_in_three_ways() {
    let key = Some("abc:d".to_owned());
    assert_eq!(from("authorization", "Bearer abc:d"), key);
    assert_eq!(from("authorization", "bearer  abc:d "), key);
    assert_eq!(from("x-api-key", "abc:d"), key);
    // me:abc:d
    assert_eq!(from("authorization", "Basic bWU6YWJjOmQ="), key);
    for broken in ["Bearer", "Basic ?", "Basic YWJj", "Digest abc"] {
        assert_eq!(from("authorization", broken), None, "{broken}");
    }
}

#[test]
fn an_entry_says_what_is_wrong_with_it_and_not_the_digest() {
    let whole = KeyEntry::new("anna", "secret").unwrap();
    assert_eq!(whole.to_string().parse::<KeyEntry>().unwrap(), whole);
    let digest = hash_of("secret");
    for (entry, what) in [
        (digest.clone(), "NAME:SHA256"),
        (format!(":{digest}"), "letters"),
        (format!("an na:{digest}"), "letters"),
        ("anna:secret".to_owned(), "64 digits"),
        (format!("anna:{}", digest.to_uppercase()), "64 digits"),
        (format!("anna:{digest}:"), "PER_MINUTE"),
        (format!("anna:{digest}:many"), "PER_MINUTE"),
        (format!("anna:{digest}:-1"), "PER_MINUTE"),
        (format!("anna:{digest}:60:5:5"), "PER_MINUTE"),
    ] {
        let error = entry.parse::<KeyEntry>().unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
        assert!(!error.contains("secret"), "{error}");
        assert!(!error.contains(&digest), "{error}");
    }
}

#[test]
fn an_entry_may_have_a_limit_of_its_own() {
    let plain = KeyEntry::new("anna", "secret").unwrap();
    for (suffix, per_minute, burst, written) in [
        (":600", 600, 0, ":600"),
        (":600:0", 600, 0, ":600"),
        (":600:50", 600, 50, ":600:50"),
        (":0", 0, 0, ":0"),
    ] {
        let entry: KeyEntry = format!("{plain}{suffix}").parse().unwrap();
        assert_eq!(entry.own, Some(Limit { per_minute, burst }), "{suffix}");
        assert_eq!(entry.to_string(), format!("{plain}{written}"));
    }
    assert_eq!(plain.own, None);
}

#[test]
fn one_name_has_one_limit() {
    let entry = |name: &str, key: &str, own: &str| -> KeyEntry {
        let plain = KeyEntry::new(name, key).unwrap();
        format!("{plain}{own}").parse().unwrap()
    };
    let (old, new) = (entry("anna", "old", ":60"), entry("anna", "new", ":60"));
    let other = entry("bert", "b", "");
    assert!(check(&[old.clone(), other.clone(), new]).is_ok());
    let error = check(&[old, other, entry("anna", "new", "")]).unwrap_err();
    assert!(error.to_string().contains("\"anna:…\""), "{error}");
}
