//! mock
use std::sync::Arc;
fn main() {
    let c = medsift_server::ServerConfig {
        bind: std::env::args().nth(1).unwrap().parse().unwrap(),
        request_timeout_ms: 2000,
        queue: 2,
        ..Default::default()
    };
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(async {
            let l = medsift_server::bind(&c).await.unwrap();
            medsift_server::serve(l, Arc::new(medsift::index::Index), c, async {
                tokio::signal::ctrl_c().await.unwrap()
            })
            .await
            .unwrap();
        });
}
