//! Asks a server at a fixed rate and says how it answered.
//!
//! ```text
//! load ADDRESS REQUESTS RATE SECONDS [PID]
//! ```
//!
//! REQUESTS is a file of lines `METHOD PATH [JSON]`, which are asked in turn and
//! again from the top. At a RATE (requests a second) the load is open: requests
//! begin when they are due, whatever became of those before, and times count
//! from then, so that a server that stalls is seen to stall. With RATE `max`
//! eight clients ask one after the other, which finds what a server can do.
//! Beside them the health check is asked ten times a second, and with PID the
//! memory of that process is read every five seconds. The report is JSON.

mod client;
mod memory;
mod report;

use client::{Client, Request};
use report::Outcome;
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Clients of an open load: more than a server lets in at once.
const CLIENTS: usize = 256;

/// Clients that look for what a server can do.
const CLOSED: usize = 8;

/// Time between two health checks.
const HEALTH: Duration = Duration::from_millis(100);

struct Plan {
    address: String,
    requests: Vec<Request>,
    /// None: as fast as the clients can.
    rate: Option<f64>,
    time: Duration,
    pid: Option<u32>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match plan(&arguments).and_then(|plan| run(&plan)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "{message}");
            ExitCode::FAILURE
        }
    }
}

fn plan(arguments: &[String]) -> Result<Plan, String> {
    let [address, file, rate, seconds, rest @ ..] = arguments else {
        return Err("load ADDRESS REQUESTS RATE SECONDS [PID]".to_owned());
    };
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let requests: Option<Vec<Request>> = text.lines().map(Request::parse).collect();
    let requests = requests.filter(|requests| !requests.is_empty());
    let number = |text: &str| {
        let number = text.parse::<f64>().ok();
        number
            .filter(|number| number.is_finite() && *number > 0.0)
            .ok_or_else(|| format!("{text} is no number above 0"))
    };
    Ok(Plan {
        address: address.trim_start_matches("http://").to_owned(),
        requests: requests.ok_or_else(|| format!("{file}: lines are METHOD PATH [JSON]"))?,
        rate: match rate.as_str() {
            "max" => None,
            rate => Some(number(rate)?),
        },
        time: Duration::from_secs_f64(number(seconds)?),
        pid: match rest.first() {
            None => None,
            Some(pid) => Some(pid.parse().map_err(|_| format!("{pid} is no process"))?),
        },
    })
}

fn run(plan: &Plan) -> Result<(), String> {
    let start = Instant::now();
    let over = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    let (outcomes, wall, health, memory) = thread::scope(|scope| {
        let health = scope.spawn(|| probe(plan, &over));
        let memory = scope.spawn(|| plan.pid.map(|pid| memory::watch(pid, &over)));
        let clients: Vec<_> = (0..plan.rate.map_or(CLOSED, |_| CLIENTS))
            .map(|_| scope.spawn(|| ask(plan, start, &next)))
            .collect();
        let joined = clients.into_iter().map(|client| client.join());
        let outcomes: Result<Vec<Vec<Outcome>>, _> = joined.collect();
        let wall = start.elapsed();
        over.store(true, Ordering::Relaxed);
        let fault = |_| "a client panicked".to_owned();
        let outcomes = outcomes.map_err(fault)?.into_iter().flatten().collect();
        let health = health.join().map_err(fault)?;
        Ok::<_, String>((outcomes, wall, health, memory.join().map_err(fault)?))
    })?;
    let outcomes: Vec<Outcome> = outcomes;
    let mut report = report::report(&outcomes, wall);
    let failed = health.iter().filter(|outcome| outcome.status != 200);
    report["rate"] = json!(plan.rate);
    report["health"] = json!({
        "failed": failed.count(),
        "ms": report::times(health.iter().map(|outcome| outcome.time)),
    });
    report["memory_mib"] = json!(memory);
    writeln!(std::io::stdout(), "{report:#}").map_err(|error| error.to_string())
}

/// One client: takes the next request, waits until it is due, asks.
fn ask(plan: &Plan, start: Instant, next: &AtomicUsize) -> Vec<Outcome> {
    let mut client = Client::new(&plan.address);
    let mut outcomes = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let due = match plan.rate {
            Some(rate) => Duration::from_secs_f64(number as f64 / rate),
            None => start.elapsed(),
        };
        if due >= plan.time {
            return outcomes;
        }
        thread::sleep(due.saturating_sub(start.elapsed()));
        let request = &plan.requests[number % plan.requests.len()];
        let status = client.ask(request).unwrap_or(0);
        outcomes.push(Outcome {
            kind: request.kind(),
            status,
            time: start.elapsed().saturating_sub(due),
        });
    }
}

/// Asks the health check now and then, on its own connection.
fn probe(plan: &Plan, over: &AtomicBool) -> Vec<Outcome> {
    let mut client = Client::new(&plan.address);
    let request = Request {
        method: "GET".to_owned(),
        path: "/health/live".to_owned(),
        body: String::new(),
    };
    let mut outcomes = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let begun = Instant::now();
        let status = client.ask(&request).unwrap_or(0);
        outcomes.push(Outcome {
            kind: String::new(),
            status,
            time: begun.elapsed(),
        });
        thread::sleep(HEALTH);
    }
    outcomes
}
