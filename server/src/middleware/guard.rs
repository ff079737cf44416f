use crate::drain::Peer;
use crate::guard::{Refusal, seconds};
use crate::page;
use crate::state::Shared;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::HeaderValue;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::middleware::Next;
use axum::response::Response;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Makes a browser ask for the key.
const CHALLENGE: HeaderValue =
    HeaderValue::from_static("Basic realm=\"medsift: any name, and your API key as password\"");

/// Lets in whoever may ask, as [`Admitted`](crate::guard::Admitted) among the
/// request's extensions. The health checks are for everybody, and what the
/// pages look like, since the page that asks for a key is one.
pub(crate) async fn admit(
    State(state): State<Shared>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let open = ["/health/", "/assets/"];
    if path == "/health" || open.iter().any(|prefix| path.starts_with(prefix)) {
        return next.run(request).await;
    }
    let from = address(&request, state.config.behind_proxy);
    let refusal = match state.guard.admit(request.headers(), from) {
        Ok(admitted) => {
            request.extensions_mut().insert(admitted);
            return next.run(request).await;
        }
        Err(refusal) => refusal,
    };
    let mut response = page::error::for_client(&request, refusal.error());
    let headers = response.headers_mut();
    match refusal {
        Refusal::NoKey | Refusal::UnknownKey => {
            headers.insert(WWW_AUTHENTICATE, CHALLENGE);
        }
        Refusal::TooOften(wait) => {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds(wait)));
        }
    }
    response
}

/// Where a request comes from: the connection's other end or, behind a proxy of
/// the operator's own, what that one added to `X-Forwarded-For`.
fn address(request: &Request, behind_proxy: bool) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<Peer>>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.0.ip());
    if !behind_proxy {
        return network(peer);
    }
    // Only the last one was added by that proxy; a client may send the others.
    let forwarded = request
        .headers()
        .get_all("x-forwarded-for")
        .iter()
        .next_back();
    let named = forwarded
        .and_then(|value| value.to_str().ok())
        .and_then(|list| list.rsplit(',').next())
        .and_then(|last| without_port(last.trim()));
    network(named.unwrap_or(peer))
}

/// An address as proxies write it: alone, or with a port.
fn without_port(text: &str) -> Option<IpAddr> {
    let alone = text.parse().ok();
    alone.or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip()))
}

/// Whom an address is counted with: one of IPv6 with its network, since whoever
/// has one has as many as they like.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() >> 64 << 64).into()),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_behind_an_address_does_not_count() {
        let address = |text: &str| text.parse::<IpAddr>().ok();
        assert_eq!(without_port("192.0.2.1:999"), address("192.0.2.1"));
        assert_eq!(without_port("[2001:db8::1]:80"), address("2001:db8::1"));
        assert_eq!(without_port("2001:db8::1"), address("2001:db8::1"));
        assert_eq!(without_port("unknown"), None);
    }

    #[test]
    fn addresses_of_one_network_are_one_client() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2::"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
