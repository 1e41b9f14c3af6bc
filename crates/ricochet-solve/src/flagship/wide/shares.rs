//! The memory limits of the threads of a divided search: equal shares, so that threads need not
//! coordinate.

use crate::Limits;
use crate::memory::meter::MemoryMeter;

/// Shares of memory. All threads own about the same number of configurations, so they use up equal
/// shares at about the same time.
pub(crate) struct Shares<'a> {
    limits: &'a Limits,
    /// Bytes reserved for threads, used or not.
    given: u64,
    /// The peak memory use before that, in bytes.
    peak_before: u64,
    /// The peak memory use of threads, in bytes.
    pub(crate) peak_of_threads: u64,
}

impl<'a> Shares<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            given: 0,
            peak_before: 0,
            peak_of_threads: 0,
        }
    }

    /// The limits of each thread, if this search and others like it, `searches` in all, get equal
    /// shares of the remaining memory. The bytes are reserved with the meter.
    pub(crate) fn give(
        &mut self,
        threads: usize,
        searches: usize,
        meter: &mut MemoryMeter,
    ) -> Limits {
        let mut limits = self.limits.clone();
        let elapsed = meter.elapsed();
        limits.time = limits.time.map(|time| time.saturating_sub(elapsed));
        limits.memory = limits.memory.map(|memory| {
            // Some of the memory in use at the peak may be free by now; it is left to this thread.
            let left = memory.saturating_sub(meter.peak());
            let share = left / (threads * searches) as u64;
            if self.given == 0 {
                self.peak_before = meter.peak();
            }
            let all = share * threads as u64;
            meter.allocate(all).expect("no more than is left");
            self.given += all;
            share
        });
        limits
    }

    /// Takes back the shares given last, because they are too small for the threads to begin.
    pub(crate) fn take_back(&mut self, threads: usize, limits: &Limits, meter: &mut MemoryMeter) {
        let all = limits.memory.unwrap_or(0) * threads as u64;
        self.given -= all;
        meter.free(all);
    }

    /// The peak memory use, in bytes.
    pub(crate) fn peak(&self, meter: &MemoryMeter) -> u64 {
        let used = meter.peak() - self.given + self.peak_of_threads;
        used.max(self.peak_before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_get_no_more_than_is_left() {
        let limits = Limits {
            memory: Some(10_000),
            ..Limits::default()
        };
        let mut meter = MemoryMeter::start(&limits);
        meter.allocate(2_000).unwrap();
        let mut shares = Shares::new(&limits);
        // Two searches: each gets one half, and each of its threads a quarter of that.
        assert_eq!(shares.give(4, 2, &mut meter).memory, Some(1_000));
        assert!(meter.allocate(4_001).is_err());
        assert_eq!(shares.peak(&meter), 2_000);
        shares.peak_of_threads = 3_500;
        assert_eq!(shares.peak(&meter), 5_500);
        assert_eq!(shares.give(4, 1, &mut meter).memory, Some(1_000));
        assert!(meter.allocate(1).is_err());
        // Without a limit, nothing is reserved.
        let limits = Limits::default();
        let mut shares = Shares::new(&limits);
        let mut meter = MemoryMeter::start(&limits);
        assert_eq!(shares.give(4, 2, &mut meter).memory, None);
        assert_eq!(meter.peak(), 0);
    }
}
