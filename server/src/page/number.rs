use std::fmt::{self, Display};

/// A count with its thousands apart: `1,234,567`.
pub(crate) struct Grouped(pub(crate) u64);

impl Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// A count and its noun: `1 article`, `2 articles`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", Grouped(count))
}

/// Milliseconds for people: `0.4 ms`, `18 ms`, `1.2 s`.
pub(crate) fn milliseconds(ms: f64) -> String {
    if ms < 10.0 {
        format!("{ms:.1} ms")
    } else if ms < 1000.0 {
        format!("{ms:.0} ms")
    } else {
        format!("{:.1} s", ms / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_kept_apart() {
        for (count, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(Grouped(count).to_string(), text);
        }
        assert_eq!(counted(1, "article"), "1 article");
        assert_eq!(counted(2000, "article"), "2,000 articles");
    }

    #[test]
    fn times_keep_two_digits_that_matter() {
        assert_eq!(milliseconds(0.44), "0.4 ms");
        assert_eq!(milliseconds(17.6), "18 ms");
        assert_eq!(milliseconds(1234.0), "1.2 s");
    }
}
