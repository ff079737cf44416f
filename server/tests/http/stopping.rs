//! What becomes of clients when the server is told to stop.

use crate::fixture;
use medsift_server::{ServerConfig, bind, serve};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

const REQUEST: &[u8] =
    b"GET /v1/search?q=statins&mode=keyword HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

fn answer(stream: &mut TcpStream) -> String {
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The kernel has completed these connections and nobody has accepted them:
/// the server that could is told to stop before it takes its first look.
#[test]
fn connections_that_wait_are_served_before_the_port_closes() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = ServerConfig {
        bind: "127.0.0.1:0".parse().unwrap(),
        ..ServerConfig::default()
    };
    let listener = runtime.block_on(bind(&config)).unwrap();
    let address = listener.local_addr().unwrap();
    let mut clients: Vec<TcpStream> = (0..20)
        .map(|_| TcpStream::connect(address).unwrap())
        .collect();
    let late = clients.split_off(15);
    for client in &mut clients {
        client.write_all(REQUEST).unwrap();
    }
    // These are connected too, and are slower to say what they want.
    let late = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        late.into_iter()
            .map(|mut client| {
                client.write_all(REQUEST).unwrap();
                answer(&mut client)
            })
            .collect::<Vec<_>>()
    });
    let server = thread::spawn(move || {
        runtime.block_on(serve(listener, fixture::index(), config, async {}))
    });
    let mut answers: Vec<String> = clients.iter_mut().map(answer).collect();
    answers.extend(late.join().unwrap());
    for text in answers {
        assert!(text.starts_with("HTTP/1.1 200 "), "{text:?}");
        assert!(text.contains("99000001"), "{text:?}");
    }
    server.join().unwrap().unwrap();
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn a_stopped_server_lets_go_of_its_port() {
    let mut server = fixture::server();
    // An idle connection that is kept open must not hold the server up.
    let idle = TcpStream::connect(server.address).unwrap();
    assert_eq!(server.get("/health").status, 200);
    server.stop();
    drop(idle);
    assert!(TcpStream::connect(server.address).is_err());
}
