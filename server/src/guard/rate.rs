use super::Client;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Requests between two looks for clients that have not asked for long.
const SWEEP: u32 = 1024;

/// How often somebody may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit {
    /// Requests in a minute; 0 for no limit.
    pub(crate) per_minute: u32,
    /// Requests at once; 0 for as many as in a minute.
    pub(crate) burst: u32,
}

/// How often each client may ask: a bucket of `burst` requests that fills up
/// evenly (the generic cell rate algorithm).
pub(super) struct Rates {
    limiter: DefaultKeyedRateLimiter<Client>,
    clock: DefaultClock,
    counted: AtomicU32,
}

impl Rates {
    /// Nothing where there is no limit.
    pub(super) fn new(limit: Limit) -> Option<Self> {
        let per_minute = NonZeroU32::new(limit.per_minute)?;
        let quota = Quota::per_minute(per_minute);
        let quota = NonZeroU32::new(limit.burst).map_or(quota, |burst| quota.allow_burst(burst));
        Some(Self {
            limiter: DefaultKeyedRateLimiter::keyed(quota),
            clock: DefaultClock::default(),
            counted: AtomicU32::new(0),
        })
    }

    /// Counts a request, or says how long the client has to wait.
    pub(super) fn count(&self, client: &Client) -> Result<(), Duration> {
        if self
            .counted
            .fetch_add(1, Ordering::Relaxed)
            .is_multiple_of(SWEEP)
        {
            // Memory stays bounded by those who ask now, however many addresses there were.
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        let now = self.clock.now();
        let checked = self.limiter.check_key(client);
        checked.map_err(|until| until.wait_time_from(now))
    }
}
