//! A program that plays in rooms: how it thinks, how it talks, and what it does when.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use ricochet_solve::CancelToken;
use serde_json::{Value, json};

use super::mind::{Mind, Thought};
use super::seat::Seat;

/// How long Ctrl-C may have to wait.
const LOOK: Duration = Duration::from_millis(200);

/// Between two moves of a show, so that people can follow.
const PACE: Duration = Duration::from_millis(700);

/// How the program's time in a room ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It has played as many games as it was told to.
    Played,
    /// The room or the seat is gone; why.
    Gone(String),
    /// The connection broke: it can be made again.
    Broken,
    /// Ctrl-C.
    Interrupted,
}

/// Something to be done later.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Plan {
    Bid(u32),
    Submit,
    Skip,
    Show(usize),
}

/// What is known of the game, and what is planned.
pub(crate) struct Player<'a> {
    pub(crate) seat: &'a Seat,
    pub(crate) mind: Mind,
    /// Games that are played before the program leaves; none: until the room is gone.
    pub(crate) games: Option<u32>,
    pub(crate) played: u32,
    thought: Option<Thought>,
    secret: bool,
    plans: BTreeMap<Instant, Plan>,
}

impl<'a> Player<'a> {
    pub(crate) fn new(seat: &'a Seat, mind: Mind, games: Option<u32>) -> Self {
        Self {
            seat,
            mind,
            games,
            played: 0,
            thought: None,
            secret: false,
            plans: BTreeMap::new(),
        }
    }

    /// Plays as long as messages come.
    pub(crate) fn play(
        &mut self,
        messages: &Receiver<Value>,
        cancel: &CancelToken,
        mut say: impl FnMut(&str),
    ) -> End {
        loop {
            if cancel.is_cancelled() {
                return End::Interrupted;
            }
            let now = Instant::now();
            while let Some(entry) = self.plans.first_entry().filter(|it| *it.key() <= now) {
                let plan = entry.remove();
                self.act(&plan, &mut say);
            }
            let next = self.plans.keys().next();
            let wait = next.map_or(LOOK, |next| next.saturating_duration_since(now).min(LOOK));
            match messages.recv_timeout(wait) {
                Ok(message) => {
                    if let Some(end) = self.hear(&message, &mut say) {
                        return end;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return End::Broken,
            }
        }
    }

    fn hear(&mut self, message: &Value, say: &mut impl FnMut(&str)) -> Option<End> {
        match message["type"].as_str()? {
            "welcome" => {
                let snapshot = &message["snapshot"];
                self.learn(&snapshot["options"]);
                let round = &snapshot["round"];
                if let Some(puzzle) = round["puzzle"].as_str() {
                    self.think(puzzle, say);
                }
                let show = &snapshot["show"];
                if show["player"] == self.seat.player {
                    let done = show["moves"].as_str().unwrap_or_default();
                    self.plan(PACE, Plan::Show(done.split_whitespace().count()));
                }
                None
            }
            "closed" if message["code"] == 4000 || message["code"] == 4010 => {
                let why = message["message"].as_str().unwrap_or("the room is closed");
                Some(End::Gone(why.to_owned()))
            }
            "event" => self.event(message, say),
            _ => None,
        }
    }

    fn event(&mut self, event: &Value, say: &mut impl FnMut(&str)) -> Option<End> {
        match event["event"].as_str()? {
            "options-changed" => self.learn(&event["options"]),
            "round-started" => self.think(event["puzzle"].as_str()?, say),
            "show-started" => {
                self.plans.clear();
                if event["player"] == self.seat.player {
                    self.plan(PACE, Plan::Show(0));
                }
            }
            "round-ended" => {
                self.plans.clear();
                self.thought = None;
            }
            "game-ended" => {
                self.played += 1;
                if self.games.is_some_and(|games| self.played >= games) {
                    return Some(End::Played);
                }
            }
            _ => {}
        }
        None
    }

    /// Whether the room is played with bids or with hidden solutions, which the host may change between games.
    fn learn(&mut self, options: &Value) {
        if let Some(style) = options["style"].as_str() {
            self.secret = style != "bidding";
        }
    }

    fn think(&mut self, puzzle: &str, say: &mut impl FnMut(&str)) {
        self.plans.clear();
        self.thought = self.mind.think(puzzle);
        let Some(thought) = &self.thought else {
            say("I do not see anything here.");
            self.plan(Mind::PATIENCE, Plan::Skip);
            return;
        };
        let (first, best) = (thought.first_after, thought.best_after);
        let (first_bid, length) = (thought.first_bid, thought.length());
        if self.secret {
            self.plan(best, Plan::Submit);
            return;
        }
        self.plan(first, Plan::Bid(first_bid));
        if length < first_bid {
            self.plan(best, Plan::Bid(length));
        }
    }

    fn plan(&mut self, after: Duration, plan: Plan) {
        let mut at = Instant::now() + after;
        while self.plans.contains_key(&at) {
            at += Duration::from_nanos(1);
        }
        self.plans.insert(at, plan);
    }

    fn act(&mut self, plan: &Plan, say: &mut impl FnMut(&str)) {
        let (what, body) = match plan {
            Plan::Bid(moves) => ("bid", json!({ "moves": moves })),
            Plan::Skip => ("skip", json!({ "yes": true })),
            Plan::Submit => {
                let Some(thought) = &self.thought else { return };
                ("submit", json!({ "moves": thought.moves }))
            }
            Plan::Show(index) => {
                let play = self.thought.as_ref().and_then(|it| it.moves.get(*index));
                match play {
                    Some(play) => {
                        let body = json!({ "moves": play });
                        self.plan(PACE, Plan::Show(index + 1));
                        ("show", body)
                    }
                    None => ("give-up", json!({})),
                }
            }
        };
        match self.seat.act(what, &body) {
            Ok(None) => say(&format!("{what} {body}")),
            // Somebody was faster, or the round is over: plans are only plans.
            Ok(Some(refusal)) => say(&format!("{what} {body}: {refusal}")),
            // The stream ends too, and is opened again.
            Err(error) => say(&format!("{what}: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_the_host_changed_decide_whether_it_bids_or_hands_in() {
        let seat = Seat::nowhere();
        let mind = Mind { level: 9, seed: 1 };
        let mut player = Player::new(&seat, mind, None);
        let mut hear = |message: Value| {
            player.hear(&message, &mut |_| ());
            player.plans.values().next().cloned()
        };
        let welcome = json!({"type": "welcome", "snapshot": {"options": {"style": "bidding"}}});
        let changed = json!({"type": "event", "event": "options-changed",
            "options": {"style": "secret"}, "teams": []});
        let round = json!({"type": "event", "event": "round-started", "puzzle": "8x8..0034.R77"});
        assert_eq!(hear(welcome), None);
        assert!(matches!(hear(round.clone()), Some(Plan::Bid(_))));
        assert!(
            matches!(hear(changed), Some(Plan::Bid(_))),
            "the plan stays"
        );
        assert_eq!(hear(round), Some(Plan::Submit));
    }
}
