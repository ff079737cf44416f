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
