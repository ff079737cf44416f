//! What is said about a run.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// One request that was answered, or was not.
pub(crate) struct Outcome {
    pub(crate) kind: String,
    /// 0 where there was no answer.
    pub(crate) status: u16,
    /// From when it should have begun.
    pub(crate) time: Duration,
}

/// Counts by status, and times of those with 200 and with 503, in all and by
/// kind of request.
pub(crate) fn report(outcomes: &[Outcome], wall: Duration) -> Value {
    let mut kinds: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        kinds.entry(&outcome.kind).or_default().push(outcome);
    }
    let mut by_kind = serde_json::Map::new();
    if kinds.len() > 1 {
        for (kind, outcomes) in kinds {
            by_kind.insert(kind.to_owned(), part(&outcomes));
        }
    }
    let answered = outcomes.iter().filter(|outcome| outcome.status == 200);
    let mut all = part(&outcomes.iter().collect::<Vec<_>>());
    all["seconds"] = json!(round(wall.as_secs_f64()));
    all["ok_per_second"] = json!(round(answered.count() as f64 / wall.as_secs_f64()));
    all["kinds"] = Value::Object(by_kind);
    all
}

fn part(outcomes: &[&Outcome]) -> Value {
    let mut statuses: BTreeMap<String, usize> = BTreeMap::new();
    for outcome in outcomes {
        let name = match outcome.status {
            0 => "no answer".to_owned(),
            status => status.to_string(),
        };
        *statuses.entry(name).or_default() += 1;
    }
    json!({
        "requests": outcomes.len(),
        "statuses": statuses,
        "ok_ms": times(outcomes.iter().filter(|o| o.status == 200).map(|o| o.time)),
        "busy_ms": times(outcomes.iter().filter(|o| o.status == 503).map(|o| o.time)),
    })
}

/// Quantiles in milliseconds; nothing of nothing.
pub(crate) fn times(times: impl Iterator<Item = Duration>) -> Value {
    let mut times: Vec<f64> = times.map(|time| time.as_secs_f64() * 1e3).collect();
    if times.is_empty() {
        return Value::Null;
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let rank = (share * times.len() as f64).ceil() as usize;
        round(times[rank.clamp(1, times.len()) - 1])
    };
    json!({"p50": at(0.5), "p95": at(0.95), "p99": at(0.99), "max": at(1.0)})
}

fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_times_that_were_taken() {
        let values = times((1..=100).map(Duration::from_millis));
        assert_eq!(
            values,
            json!({"p50": 50.0, "p95": 95.0, "p99": 99.0, "max": 100.0})
        );
        let one = times([Duration::from_millis(7)].into_iter());
        assert_eq!(one, json!({"p50": 7.0, "p95": 7.0, "p99": 7.0, "max": 7.0}));
        assert_eq!(times([].into_iter()), Value::Null);
    }

    #[test]
    fn statuses_and_kinds_are_counted_apart() {
        let outcome = |kind: &str, status| Outcome {
            kind: kind.to_owned(),
            status,
            time: Duration::from_millis(2),
        };
        let outcomes = [outcome("a", 200), outcome("a", 503), outcome("b", 0)];
        let report = report(&outcomes, Duration::from_secs(2));
        assert_eq!(
            report["statuses"],
            json!({"200": 1, "503": 1, "no answer": 1})
        );
        assert_eq!(report["kinds"]["b"]["requests"], 1);
        assert_eq!(report["ok_per_second"], 0.5);
    }
}
