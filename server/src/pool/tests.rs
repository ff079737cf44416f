use super::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

const LONG: Duration = Duration::from_secs(20);

/// A job that holds its thread until the sender is dropped or sends.
fn gate() -> (mpsc::Sender<()>, impl FnOnce() + Send + 'static) {
    let (open, wait) = mpsc::channel::<()>();
    (open, move || {
        let _ = wait.recv();
    })
}

async fn until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < LONG, "the condition never came true");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_full_queue_refuses_at_once_and_recovers() {
    let pool = Arc::new(CpuPool::new(1, 1).unwrap());
    let (open, block) = gate();
    let first = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run(LONG, block).await.map(|_| ()) }
    });
    until(|| pool.load().running == 1).await;
    let second = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run(LONG, || 2).await.map(|done| done.value) }
    });
    until(|| pool.load().waiting == 1).await;

    assert_eq!(pool.run(LONG, || 3).await.unwrap_err(), PoolError::Full);

    drop(open);
    assert_eq!(first.await.unwrap(), Ok(()));
    assert_eq!(second.await.unwrap(), Ok(2));
    assert_eq!(pool.run(LONG, || 4).await.unwrap().value, 4);
    assert_eq!((pool.load().running, pool.load().waiting), (0, 0));
}

#[tokio::test]
async fn a_panic_is_reported_and_the_worker_goes_on() {
    let pool = CpuPool::new(1, 0).unwrap();
    for _ in 0..3 {
        let error = pool
            .run(LONG, || panic!("boom {}", 7))
            .await
            .map(|done: Done<()>| done.value);
        assert_eq!(error, Err(PoolError::Panicked("boom 7".to_owned())));
    }
    let split = || rayon::join(|| panic!("half"), || 1).1;
    assert!(matches!(
        pool.run(LONG, split).await,
        Err(PoolError::Panicked(_))
    ));
    assert_eq!(pool.run(LONG, || 5).await.unwrap().value, 5);
}

#[tokio::test]
async fn time_runs_out_while_waiting_and_while_running() {
    let pool = Arc::new(CpuPool::new(1, 4).unwrap());
    let (open, block) = gate();
    let short = Duration::from_millis(30);
    assert_eq!(
        pool.run(short, block).await.unwrap_err(),
        PoolError::TimedOut
    );
    // The job still holds the only thread, and says so.
    assert_eq!(pool.load().running, 1);

    let ran = Arc::new(AtomicBool::new(false));
    let mark = Arc::clone(&ran);
    let waiting = pool
        .run(short, move || mark.store(true, Ordering::SeqCst))
        .await;
    assert_eq!(waiting.unwrap_err(), PoolError::TimedOut);

    drop(open);
    assert_eq!(pool.run(LONG, || 1).await.unwrap().value, 1);
    assert!(!ran.load(Ordering::SeqCst), "an abandoned job ran");
}

#[tokio::test]
async fn no_more_jobs_run_than_there_are_threads() {
    let pool = Arc::new(CpuPool::new(2, 100).unwrap());
    let now = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let (pool, now, most) = (Arc::clone(&pool), Arc::clone(&now), Arc::clone(&most));
            tokio::spawn(async move {
                pool.run(LONG, move || {
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(3));
                    now.fetch_sub(1, Ordering::SeqCst);
                })
                .await
                .is_ok()
            })
        })
        .collect();
    for task in tasks {
        assert!(task.await.unwrap());
    }
    assert_eq!(most.load(Ordering::SeqCst), 2);
}

/// Asks for a job and hangs up as soon as `then` holds; says whether it ran.
async fn abandoned(pool: &Arc<CpuPool>, then: impl Fn(Load) -> bool) -> Arc<AtomicBool> {
    let ran = Arc::new(AtomicBool::new(false));
    let request = tokio::spawn({
        let (pool, mark) = (Arc::clone(pool), Arc::clone(&ran));
        async move {
            pool.run(LONG, move || mark.store(true, Ordering::SeqCst))
                .await
        }
    });
    until(|| then(pool.load())).await;
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
    ran
}

#[tokio::test]
async fn a_job_whose_client_has_gone_is_never_run() {
    let pool = Arc::new(CpuPool::new(1, 4).unwrap());
    let (open, block) = gate();
    let first = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run(LONG, block).await.map(|_| ()) }
    });
    until(|| pool.load().running == 1).await;
    // One that waits for its turn leaves the line at once.
    let ran = abandoned(&pool, |load| load.waiting == 1).await;
    assert_eq!(pool.load().waiting, 0);
    drop(open);
    assert_eq!(first.await.unwrap(), Ok(()));
    assert_eq!(pool.run(LONG, || 1).await.unwrap().value, 1);
    assert!(!ran.load(Ordering::SeqCst), "a job ran for nobody");
}

#[tokio::test]
async fn a_job_that_waits_inside_the_pool_is_not_run_for_nobody() {
    let pool = Arc::new(CpuPool::new(1, 4).unwrap());
    // The thread is busy with a part of another job: nobody holds a permit.
    let (open, block) = gate();
    pool.workers.spawn(block);
    let ran = abandoned(&pool, |load| load.running == 1).await;
    drop(open);
    until(|| pool.load().running == 0).await;
    assert!(!ran.load(Ordering::SeqCst), "a job ran for nobody");
    assert_eq!(pool.run(LONG, || 1).await.unwrap().value, 1);
}

/// Through a real connection: what the HTTP library does when a client hangs
/// up while its request waits.
#[tokio::test]
async fn hanging_up_takes_a_request_out_of_the_line() {
    use axum::Router;
    use axum::extract::State;
    use axum::routing::get;
    use tokio::net::{TcpListener, TcpStream};

    type Shared = (Arc<CpuPool>, Arc<AtomicUsize>);
    async fn handler(State((pool, runs)): State<Shared>) -> &'static str {
        let job = move || runs.fetch_add(1, Ordering::SeqCst);
        pool.run(LONG, job).await.map_or("not run", |_| "run")
    }

    let pool = Arc::new(CpuPool::new(1, 4).unwrap());
    let runs = Arc::new(AtomicUsize::new(0));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shared = (Arc::clone(&pool), Arc::clone(&runs));
    let app = Router::new().route("/", get(handler)).with_state(shared);
    let server = tokio::spawn(async move { axum::serve(listener, app).await });

    let (open, block) = gate();
    let first = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run(LONG, block).await.map(|_| ()) }
    });
    until(|| pool.load().running == 1).await;
    let client = TcpStream::connect(address).await.unwrap();
    let request = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    client.writable().await.unwrap();
    assert_eq!(client.try_write(request).unwrap(), request.len());
    until(|| pool.load().waiting == 1).await;
    drop(client);
    until(|| pool.load().waiting == 0).await;
    drop(open);
    assert_eq!(first.await.unwrap(), Ok(()));
    assert_eq!(pool.run(LONG, || 1).await.unwrap().value, 1);
    assert_eq!(runs.load(Ordering::SeqCst), 0, "a request ran for nobody");
    server.abort();
}
