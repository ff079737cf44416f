use super::*;
use crate::config::ServerConfig;
use axum::http::HeaderValue;
use axum::http::header::AUTHORIZATION;
use std::net::Ipv4Addr;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn bearer(key: &str) -> HeaderMap {
    let value = HeaderValue::from_str(&format!("Bearer {key}")).unwrap();
    HeaderMap::from_iter([(AUTHORIZATION, value)])
}

fn config(keys: &[&str], requests_per_minute: u32, burst: u32) -> ServerConfig {
    let keys = keys.iter().map(|name| KeyEntry::new(name, name).unwrap());
    ServerConfig {
        keys: keys.collect(),
        requests_per_minute,
        burst,
        ..ServerConfig::default()
    }
}

fn guard(keys: &[&str], requests_per_minute: u32, burst: u32) -> Guard {
    config(keys, requests_per_minute, burst).guard()
}

/// Who is let in.
fn client(admitted: Result<Admitted, Refusal>) -> Result<Client, Refusal> {
    admitted.map(|admitted| admitted.client)
}

/// How many requests in a row are let through.
fn let_through(guard: &Guard, key: &str, from: IpAddr) -> usize {
    let ask = || guard.admit(&bearer(key), from);
    (0..20).take_while(|_| ask().is_ok()).count()
}

#[test]
fn without_keys_everybody_may_ask() {
    let guard = guard(&[], 0, 0);
    let admitted = guard.admit(&HeaderMap::new(), HERE);
    assert_eq!(client(admitted), Ok(Client::Address(HERE)));
}

#[test]
fn with_keys_only_their_bearers_may() {
    let guard = guard(&["anna", "bert"], 0, 0);
    assert_eq!(
        client(guard.admit(&bearer("bert"), HERE)),
        Ok(Client::Key("bert".into()))
    );
    assert_eq!(guard.admit(&HeaderMap::new(), HERE), Err(Refusal::NoKey));
    assert_eq!(guard.admit(&bearer("carl"), HERE), Err(Refusal::UnknownKey));
}

#[test]
fn a_burst_is_let_through_and_what_comes_behind_it_waits() {
    let guard = guard(&["anna", "bert"], 6, 3);
    for _ in 0..3 {
        assert!(guard.admit(&bearer("anna"), HERE).is_ok());
    }
    let Err(Refusal::TooOften(wait)) = guard.admit(&bearer("anna"), HERE) else {
        panic!("it was let through");
    };
    assert!((1..=10).contains(&seconds(wait)), "{wait:?}");
    // Each client has its own measure.
    assert!(guard.admit(&bearer("bert"), HERE).is_ok());
}

#[test]
fn keys_cannot_be_guessed_without_end() {
    let guard = guard(&["anna"], 6, 2);
    let guess = |key: &str| guard.admit(&bearer(key), HERE);
    assert_eq!(
        [guess("a"), guess("b")],
        [Err(Refusal::UnknownKey), Err(Refusal::UnknownKey)]
    );
    assert!(matches!(guess("c"), Err(Refusal::TooOften(_))));
}
#[test]
fn an_address_has_a_limit_beside_the_keys_that_ask_from_it() {
    let config = ServerConfig {
        address_requests_per_minute: 6,
        address_burst: 4,
        ..config(&["anna", "bert"], 6, 3)
    };
    let (guard, there) = (config.guard(), IpAddr::from([192, 0, 2, 1]));
    assert_eq!(let_through(&guard, "anna", HERE), 3);
    // What was refused of anna counted for the address, and nothing of it is left.
    assert_eq!(let_through(&guard, "bert", HERE), 0);
    assert_eq!(let_through(&guard, "bert", there), 3);
}

#[test]
fn a_key_may_have_a_limit_of_its_own() {
    let own = |entry: &KeyEntry, own: &str| format!("{entry}{own}").parse().unwrap();
    let mut config = config(&["anna", "bert", "carl"], 6, 2);
    config.keys[0] = own(&config.keys[0], ":6:5");
    config.keys[1] = own(&config.keys[1], ":0");
    let guard = config.guard();
    assert_eq!(let_through(&guard, "anna", HERE), 5);
    assert_eq!(let_through(&guard, "bert", HERE), 20);
    assert_eq!(let_through(&guard, "carl", HERE), 2);
}

#[test]
fn without_a_limit_of_clients_that_of_addresses_holds_for_wrong_keys_too() {
    let config = ServerConfig {
        address_requests_per_minute: 2,
        ..config(&["anna"], 0, 0)
    };
    let guard = config.guard();
    let wrong = guard.admit(&bearer("b"), HERE);
    assert_eq!(wrong, Err(Refusal::UnknownKey));
    assert_eq!(let_through(&guard, "anna", HERE), 1);
}
