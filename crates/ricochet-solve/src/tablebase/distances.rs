//! The distance of every state, as bit planes.
//!
//! A configuration has one set a plane; bit `i` of `distance + 1` is in plane `i`, and a state that
//! is in no plane has no distance. A layer of states is written with a few vector operations, and a
//! state takes five or six bits instead of a byte.

use crate::lowlevel::set256::Set256;

/// Planes that a table begins with: distances up to 30.
const FIRST_PLANES: usize = 5;

/// The distances of all configurations, in memory.
#[derive(Clone, Debug)]
pub(crate) struct Distances {
    planes: usize,
    sets: Vec<Set256>,
}

impl Distances {
    /// No state has a distance; `None` if it is stopped.
    pub(crate) fn new(configurations: usize, stop: &dyn Fn() -> bool) -> Option<Self> {
        let planes = FIRST_PLANES;
        let mut sets = Vec::new();
        fill(&mut sets, configurations * planes, Set256::EMPTY, stop)
            .then_some(Self { planes, sets })
    }

    pub(crate) fn with_planes(configurations: usize, planes: usize) -> Self {
        Self {
            planes,
            sets: vec![Set256::EMPTY; configurations * planes],
        }
    }

    /// Bytes that a table takes at first.
    pub(crate) fn bytes(configurations: usize) -> u64 {
        (configurations * FIRST_PLANES * size_of::<Set256>()) as u64
    }

    pub(crate) fn planes(&self) -> usize {
        self.planes
    }

    pub(crate) fn configurations(&self) -> usize {
        self.sets.len() / self.planes
    }

    /// The planes of a configuration.
    pub(crate) fn of(&self, configuration: usize) -> &[Set256] {
        &self.sets[configuration * self.planes..][..self.planes]
    }

    pub(crate) fn of_mut(&mut self, configuration: usize) -> &mut [Set256] {
        &mut self.sets[configuration * self.planes..][..self.planes]
    }

    pub(crate) fn get(&self, configuration: usize, bit: usize) -> Option<u32> {
        distance_in(self.of(configuration), bit)
    }

    /// The most bytes that a table takes until it has a distance. While it adds a plane there are the
    /// old ones and the new ones.
    pub(crate) fn most_bytes(configurations: usize, distance: u32) -> u64 {
        let needed = (u64::from(distance) + 2).next_power_of_two().ilog2() as usize;
        let held = if needed > FIRST_PLANES {
            2 * needed - 1
        } else {
            FIRST_PLANES
        };
        (configurations * held * size_of::<Set256>()) as u64
    }

    /// Adds planes until the distance fits.
    pub(crate) fn grow_for(&mut self, distance: u32) {
        while u64::from(distance) + 1 >= 1 << self.planes {
            let wider = self.planes + 1;
            let mut sets = Vec::with_capacity(self.sets.len() / self.planes * wider);
            for planes in self.sets.chunks_exact(self.planes) {
                sets.extend_from_slice(planes);
                sets.push(Set256::EMPTY);
            }
            self.planes = wider;
            self.sets = sets;
        }
    }

    /// Gives states that have no distance one that there is room for.
    pub(crate) fn set(&mut self, configuration: usize, states: Set256, distance: u32) {
        write_planes(self.of_mut(configuration), states, distance);
    }

    /// Gives states of several configurations, which have no distance, one that there is room for.
    /// False if it is stopped.
    pub(crate) fn set_each(
        &mut self,
        distance: u32,
        states: impl Iterator<Item = (usize, Set256)>,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        for (number, (configuration, states)) in states.enumerate() {
            if number.is_multiple_of(BETWEEN_CHECKS) && stop() {
                return false;
            }
            self.set(configuration, states, distance);
        }
        true
    }

    /// Gives a distance that there is room for to all states that have none yet and are in the set of
    /// their configuration. False if it is stopped.
    pub(crate) fn set_unknown(
        &mut self,
        distance: u32,
        states: impl Fn(usize) -> Set256,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        for (configuration, planes) in self.sets.chunks_exact_mut(self.planes).enumerate() {
            if configuration.is_multiple_of(BETWEEN_CHECKS) && stop() {
                return false;
            }
            let known = planes
                .iter()
                .fold(Set256::EMPTY, |known, &plane| known | plane);
            write_planes(planes, states(configuration).without(known), distance);
        }
        true
    }
}

/// Configurations between two checks for cancellation, which take some hundred microseconds.
pub(super) const BETWEEN_CHECKS: usize = 1 << 12;

/// Fills a list with one value; false if it is cancelled. Filling hundreds of megabytes takes tenths
/// of seconds.
pub(super) fn fill<T: Copy>(
    list: &mut Vec<T>,
    len: usize,
    value: T,
    stop: &dyn Fn() -> bool,
) -> bool {
    list.clear();
    if list.capacity() > len {
        // What an earlier, larger table has left would count against a limit.
        *list = Vec::new();
    }
    list.reserve_exact(len);
    while list.len() < len {
        if stop() {
            return false;
        }
        list.resize(len.min(list.len() + BETWEEN_CHECKS), value);
    }
    true
}

fn write_planes(planes: &mut [Set256], states: Set256, distance: u32) {
    let code = distance + 1;
    for (i, plane) in planes.iter_mut().enumerate() {
        if code >> i & 1 == 1 {
            *plane |= states;
        }
    }
}

/// The distance of a state in the planes of its configuration.
pub(crate) fn distance_in(planes: &[Set256], bit: usize) -> Option<u32> {
    let code = planes
        .iter()
        .enumerate()
        .map(|(i, plane)| u32::from(plane.contains(bit)) << i)
        .sum::<u32>();
    code.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_distances_add_planes() {
        let mut distances = Distances::new(3, &|| false).unwrap();
        for (bit, distance) in [(0, 0), (7, 30), (8, 31), (255, 62), (100, 63), (101, 300)] {
            let bytes = Distances::most_bytes(3, distance);
            distances.grow_for(distance);
            let (now, before) = (distances.planes(), distances.planes() - 1);
            let held = if now > FIRST_PLANES {
                now + before
            } else {
                now
            };
            assert_eq!(bytes, (3 * 32 * held) as u64, "old and new planes at once");
            distances.set(1, Set256::of(bit), distance);
            assert_eq!(distances.get(1, bit), Some(distance));
        }
        assert_eq!(distances.get(1, 7), Some(30), "kept when planes are added");
        assert_eq!(distances.get(1, 9), None);
        assert_eq!(distances.get(0, 7), None);
        assert_eq!(distances.planes(), 9);
    }

    #[test]
    fn only_unknown_states_are_given_a_distance() {
        let mut distances = Distances::new(1, &|| false).unwrap();
        distances.set(0, Set256::of(4), 2);
        let all = |_| Set256::of(4) | Set256::of(5);
        assert!(distances.set_unknown(5, all, &|| false));
        assert_eq!(distances.get(0, 4), Some(2));
        assert_eq!(distances.get(0, 5), Some(5));
    }

    /// A time limit works only if it is checked regularly.
    #[test]
    fn work_on_all_configurations_is_stopped_between() {
        let configurations = 3 * BETWEEN_CHECKS + 1;
        let mut distances = Distances::new(configurations, &|| false).unwrap();
        for stop_after in 0..4 {
            let looks = std::cell::Cell::new(0);
            let stop = || looks.replace(looks.get() + 1) == stop_after;
            let distance = stop_after + 1;
            let done = distances.set_unknown(distance, |_| Set256::of(9), &stop);
            assert!(!done);
            let written = (0..configurations).filter(|&i| distances.get(i, 9).is_some());
            assert_eq!(written.count(), stop_after as usize * BETWEEN_CHECKS);
        }
        for stop_after in 0..4 {
            let looks = std::cell::Cell::new(0);
            let stop = || looks.replace(looks.get() + 1) == stop_after;
            let states = (0..configurations).map(|i| (i, Set256::of(10 + stop_after)));
            assert!(!distances.set_each(4, states, &stop));
            let bit = 10 + stop_after;
            let written = (0..configurations).filter(|&i| distances.get(i, bit).is_some());
            assert_eq!(written.count(), stop_after * BETWEEN_CHECKS);
        }
        let looks = std::cell::Cell::new(0);
        let stop = || looks.replace(looks.get() + 1) == 3;
        assert!(Distances::new(configurations, &stop).is_none());
        let mut list = vec![1u8; 100];
        assert!(fill(&mut list, 10, 0, &|| false));
        assert_eq!(
            (list.len(), list.capacity()),
            (10, 10),
            "no room is kept for more"
        );
    }
}
