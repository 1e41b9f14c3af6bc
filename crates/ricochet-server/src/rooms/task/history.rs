//! The last events of a room, for those who come back; and the room as spectators see it, who may
//! have to wait.

use std::collections::VecDeque;
use std::sync::Arc;

use ricochet_rooms::{LogEntry, LogError, Room, Time};

/// The last events, at most so many.
#[derive(Default)]
pub(crate) struct Recent {
    events: VecDeque<Arc<LogEntry>>,
    most: usize,
}

impl Recent {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            events: VecDeque::new(),
            most,
        }
    }

    pub(crate) fn push(&mut self, event: Arc<LogEntry>) {
        if self.events.len() >= self.most {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    /// The events after a number, if none of them is missing.
    pub(crate) fn after(&self, since: u64) -> Option<impl Iterator<Item = &Arc<LogEntry>>> {
        let first = self.events.front()?.number;
        let last = self.events.back()?.number;
        let all_there = since + 1 >= first && since <= last;
        all_there.then(|| self.events.iter().filter(move |it| it.number > since))
    }
}

/// The room as it was some time ago.
pub(crate) struct Late {
    pub(crate) room: Room,
    pub(crate) recent: Recent,
    delay: u64,
    pending: VecDeque<Arc<LogEntry>>,
}

impl Late {
    /// What spectators see now of a room with these events.
    pub(crate) fn new(
        log: &[Arc<LogEntry>],
        delay: u64,
        now: Time,
        most: usize,
    ) -> Result<Self, LogError> {
        let seen = log
            .iter()
            .take_while(|it| it.at.after(delay) <= now)
            .count();
        // That the room exists is no secret.
        let (seen, pending) = log.split_at(seen.max(1).min(log.len()));
        let mut late = Self {
            room: Room::replay(seen.iter().map(|it| LogEntry::clone(it)))?,
            recent: Recent::new(most),
            delay,
            pending: pending.iter().cloned().collect(),
        };
        for event in seen {
            late.recent.push(Arc::clone(event));
        }
        Ok(late)
    }

    pub(crate) fn push(&mut self, event: Arc<LogEntry>) {
        self.pending.push_back(event);
    }

    /// When the next event may be seen.
    pub(crate) fn next(&self) -> Option<Time> {
        Some(self.pending.front()?.at.after(self.delay))
    }

    /// The next event that may be seen now.
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
    fn who_was_away_gets_the_rest_or_nothing() {
        let (mut room, opened) = Room::open(Options::default(), 1, Time(0)).unwrap();
        let mut recent = Recent::new(3);
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
    fn spectators_see_the_room_as_it_was() {
        let (mut room, opened) = Room::open(Options::default(), 1, Time(0)).unwrap();
        let mut log = vec![Arc::new(opened)];
        for at in [100, 200] {
            let events = room.handle(Time(at), Command::join("Ada")).events;
            log.extend(events.into_iter().map(Arc::new));
        }
        let mut late = Late::new(&log, 50, Time(170), 10).unwrap();
        assert_eq!(late.room.players().len(), 1);
        assert_eq!(late.next(), Some(Time(250)));
        assert!(late.take(Time(249)).is_none());
        assert!(late.take(Time(250)).is_some());
        assert_eq!(late.room, room);
        assert_eq!(late.next(), None);
    }
}
