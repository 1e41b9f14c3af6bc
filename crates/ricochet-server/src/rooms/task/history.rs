//! The latest events of a room, for returning clients, and the delayed room that spectators see.

use std::collections::VecDeque;
use std::sync::Arc;

use ricochet_rooms::{Event, LogEntry, LogError, PlayerId, Room, Time};

/// The latest events of a room.
#[derive(Default)]
pub(crate) struct RecentEvents {
    events: VecDeque<Arc<LogEntry>>,
    capacity: usize,
}

impl RecentEvents {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            events: VecDeque::new(),
            capacity,
        }
    }

    pub(crate) fn push(&mut self, event: Arc<LogEntry>) {
        if self.events.len() >= self.capacity {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    /// The last lines of a player, one per line of the text.
    pub(crate) fn said_by(&self, player: PlayerId, most: usize) -> String {
        let lines = self.events.iter().rev().filter_map(|it| match &it.event {
            Event::Said { player: by, text } if *by == player => Some(text.as_str()),
            _ => None,
        });
        let mut lines: Vec<&str> = lines.take(most).collect();
        lines.reverse();
        lines.join("\n")
    }

    /// The events after a number, if none of them is missing.
    pub(crate) fn after(&self, since: u64) -> Option<impl Iterator<Item = &Arc<LogEntry>>> {
        let first = self.events.front()?.number;
        let last = self.events.back()?.number;
        let all_there = since + 1 >= first && since <= last;
        all_there.then(|| self.events.iter().filter(move |it| it.number > since))
    }
}

/// A copy of a room that follows it with a delay.
pub(crate) struct DelayedRoom {
    pub(crate) room: Room,
    pub(crate) recent: RecentEvents,
    delay: u64,
    pending: VecDeque<Arc<LogEntry>>,
}

impl DelayedRoom {
    /// What spectators see now of a room with this log.
    pub(crate) fn new(
        log: &[Arc<LogEntry>],
        delay: u64,
        now: Time,
        capacity: usize,
    ) -> Result<Self, LogError> {
        let seen = log
            .iter()
            .take_while(|it| it.at.after(delay) <= now)
            .count();
        // That the room exists is not a secret.
        let (seen, pending) = log.split_at(seen.max(1).min(log.len()));
        let mut delayed = Self {
            room: Room::replay(seen.iter().map(|it| LogEntry::clone(it)))?,
            recent: RecentEvents::new(capacity),
            delay,
            pending: pending.iter().cloned().collect(),
        };
        for event in seen {
            delayed.recent.push(Arc::clone(event));
        }
        Ok(delayed)
    }

    pub(crate) fn push(&mut self, event: Arc<LogEntry>) {
        self.pending.push_back(event);
    }

    /// When the next event is due.
    pub(crate) fn next(&self) -> Option<Time> {
        Some(self.pending.front()?.at.after(self.delay))
    }

    /// Applies and returns the next event, if it is due.
    pub(crate) fn take(&mut self, now: Time) -> Option<Arc<LogEntry>> {
        if self.next()? > now {
            return None;
        }
        let event = self.pending.pop_front()?;
        if let Err(bad) = self.room.apply(&event) {
            tracing::error!("spectators: {bad}");
        }
        self.recent.push(Arc::clone(&event));
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use ricochet_rooms::{Command, Options};

    use super::*;

    #[test]
    fn returning_clients_get_all_missed_events_or_none() {
        let (mut room, opened) = Room::open(Options::default(), 1, Time(0)).unwrap();
        let mut recent = RecentEvents::new(3);
        recent.push(Arc::new(opened));
        for number in 0..4 {
            for event in room.handle(Time(number), Command::join("Ada")).events {
                recent.push(Arc::new(event));
            }
        }
        assert_eq!(room.version(), 6);
        let after = |since| {
            let events = recent.after(since)?;
            Some(events.map(|it| it.number).collect::<Vec<_>>())
        };
        assert_eq!(after(6), Some(vec![]));
        assert_eq!(after(4), Some(vec![5, 6]));
        assert_eq!(after(3), Some(vec![4, 5, 6]));
        assert_eq!(after(2), None, "event 3 is gone");
        assert_eq!(after(7), None, "from the future");
    }

    #[test]
    fn spectators_see_the_room_with_a_delay() {
        let (mut room, opened) = Room::open(Options::default(), 1, Time(0)).unwrap();
        let mut log = vec![Arc::new(opened)];
        for at in [100, 200] {
            let events = room.handle(Time(at), Command::join("Ada")).events;
            log.extend(events.into_iter().map(Arc::new));
        }
        let mut delayed = DelayedRoom::new(&log, 50, Time(170), 10).unwrap();
        assert_eq!(delayed.room.players().len(), 1);
        assert_eq!(delayed.next(), Some(Time(250)));
        assert!(delayed.take(Time(249)).is_none());
        assert!(delayed.take(Time(250)).is_some());
        assert_eq!(delayed.room, room);
        assert_eq!(delayed.next(), None);
    }
}
