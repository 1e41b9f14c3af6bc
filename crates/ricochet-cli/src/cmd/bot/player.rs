//! The bot's side of a game: it handles messages and plans its bids and shows.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use ricochet_core::{Solution, notation};
use ricochet_rooms::{BotDecision, BotStrategy};
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{CancelToken, Limits, NullObserver, Outcome, Solver};
use serde_json::{Value, json};

use super::client::RoomClient;

/// How often Ctrl-C is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The time between two moves of a show.
const MOVE_INTERVAL: Duration = BotStrategy::MOVE_INTERVAL;

/// How the connection to a room ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ConnectionEnd {
    /// All games have been played.
    Played,
    /// The room or the seat is gone, with the reason.
    Gone(String),
    /// The connection broke and can be opened again.
    Broken,
    /// Ctrl-C.
    Interrupted,
}

/// A planned action.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PlannedAction {
    Bid(u32),
    Submit,
    Skip,
    Show(usize),
}

/// The state of the game, and the plans.
pub(crate) struct Player<'a> {
    pub(crate) client: &'a RoomClient,
    pub(crate) strategy: BotStrategy,
    /// The number of games to play; `None` means until the room is closed.
    pub(crate) games: Option<u32>,
    pub(crate) played: u32,
    decision: Option<BotDecision>,
    secret: bool,
    plans: BTreeMap<Instant, PlannedAction>,
}

impl<'a> Player<'a> {
    pub(crate) fn new(client: &'a RoomClient, strategy: BotStrategy, games: Option<u32>) -> Self {
        Self {
            client,
            strategy,
            games,
            played: 0,
            decision: None,
            secret: false,
            plans: BTreeMap::new(),
        }
    }

    /// Plays until the connection ends.
    pub(crate) fn play(
        &mut self,
        messages: &Receiver<Value>,
        cancel: &CancelToken,
        mut say: impl FnMut(&str),
    ) -> ConnectionEnd {
        loop {
            if cancel.is_cancelled() {
                return ConnectionEnd::Interrupted;
            }
            let now = Instant::now();
            while let Some(entry) = self.plans.first_entry().filter(|it| *it.key() <= now) {
                let plan = entry.remove();
                self.act(&plan, &mut say);
            }
            let next = self.plans.keys().next();
            let wait = next.map_or(POLL_INTERVAL, |next| {
                next.saturating_duration_since(now).min(POLL_INTERVAL)
            });
            match messages.recv_timeout(wait) {
                Ok(message) => {
                    if let Some(end) = self.handle_message(&message, &mut say) {
                        return end;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return ConnectionEnd::Broken,
            }
        }
    }

    fn handle_message(
        &mut self,
        message: &Value,
        say: &mut impl FnMut(&str),
    ) -> Option<ConnectionEnd> {
        match message["type"].as_str()? {
            "welcome" => {
                let snapshot = &message["snapshot"];
                self.update_options(&snapshot["options"]);
                let round = &snapshot["round"];
                if let Some(puzzle) = round["puzzle"].as_str() {
                    self.decide(puzzle, say);
                }
                let show = &snapshot["show"];
                if show["player"] == self.client.player {
                    let done = show["moves"].as_str().unwrap_or_default();
                    self.plan(
                        MOVE_INTERVAL,
                        PlannedAction::Show(done.split_whitespace().count()),
                    );
                }
                None
            }
            "closed" if message["code"] == 4000 || message["code"] == 4010 => {
                let why = message["message"].as_str().unwrap_or("the room is closed");
                Some(ConnectionEnd::Gone(why.to_owned()))
            }
            "event" => self.event(message, say),
            _ => None,
        }
    }

    fn event(&mut self, event: &Value, say: &mut impl FnMut(&str)) -> Option<ConnectionEnd> {
        match event["event"].as_str()? {
            "options-changed" => self.update_options(&event["options"]),
            "round-started" => self.decide(event["puzzle"].as_str()?, say),
            "show-started" => {
                self.plans.clear();
                if event["player"] == self.client.player {
                    self.plan(MOVE_INTERVAL, PlannedAction::Show(0));
                }
            }
            "round-ended" => {
                self.plans.clear();
                self.decision = None;
            }
            "game-ended" => {
                self.played += 1;
                if self.games.is_some_and(|games| self.played >= games) {
                    return Some(ConnectionEnd::Played);
                }
            }
            _ => {}
        }
        None
    }

    /// Whether the room is played with bids or with hidden solutions, which the host may change between games.
    fn update_options(&mut self, options: &Value) {
        if let Some(style) = options["style"].as_str() {
            self.secret = style != "bidding";
        }
    }

    fn decide(&mut self, puzzle: &str, say: &mut impl FnMut(&str)) {
        self.plans.clear();
        self.decision = solution(self.strategy, puzzle)
            .and_then(|solution| self.strategy.decide(puzzle, &solution));
        let Some(decision) = &self.decision else {
            say("I do not see anything here.");
            self.plan(BotStrategy::PATIENCE, PlannedAction::Skip);
            return;
        };
        let (first, best) = (decision.first_after, decision.best_after);
        let (first_bid, length) = (decision.first_bid, decision.length());
        if self.secret {
            self.plan(best, PlannedAction::Submit);
            return;
        }
        self.plan(first, PlannedAction::Bid(first_bid));
        if length < first_bid {
            self.plan(best, PlannedAction::Bid(length));
        }
    }

    fn plan(&mut self, after: Duration, plan: PlannedAction) {
        let mut at = Instant::now() + after;
        while self.plans.contains_key(&at) {
            at += Duration::from_nanos(1);
        }
        self.plans.insert(at, plan);
    }

    fn act(&mut self, plan: &PlannedAction, say: &mut impl FnMut(&str)) {
        let (what, body) = match plan {
            PlannedAction::Bid(moves) => ("bid", json!({ "moves": moves })),
            PlannedAction::Skip => ("skip", json!({ "yes": true })),
            PlannedAction::Submit => {
                let Some(decision) = &self.decision else {
                    return;
                };
                let moves = Solution::new(decision.moves.clone()).to_string();
                ("submit", json!({ "moves": moves }))
            }
            PlannedAction::Show(index) => {
                let play = self.decision.as_ref().and_then(|it| it.moves.get(*index));
                match play {
                    Some(play) => {
                        let body = json!({ "moves": play.to_string() });
                        self.plan(MOVE_INTERVAL, PlannedAction::Show(index + 1));
                        ("show", body)
                    }
                    None => ("give-up", json!({})),
                }
            }
        };
        match self.client.send(what, &body) {
            Ok(None) => say(&format!("{what} {body}")),
            // Another player was faster, or the round is over.
            Ok(Some(refusal)) => say(&format!("{what} {body}: {refusal}")),
            // The stream ends as well, and is opened again.
            Err(error) => say(&format!("{what}: {error}")),
        }
    }
}

/// What there is to be seen in a position.
pub(super) fn solution(strategy: BotStrategy, line: &str) -> Option<Solution> {
    let puzzle = notation::parse_line(line).ok()?.validate().ok()?;
    let limits = Limits {
        time: Some(Duration::from_secs(5)),
        moves: Some(strategy.depth()),
        ..Limits::default()
    };
    let (outcome, _) = Flagship::new().solve(&puzzle, &limits, &mut NullObserver);
    match outcome {
        Outcome::Solved { solution, .. } => Some(solution),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_sees_what_a_lower_one_sees() {
        // Nine moves, which level 5 just sees.
        let hard = "1A4B3B2B.1fc1f0c0.B9c";
        let sees = |level| {
            let strategy = BotStrategy { level, seed: 1 };
            let solution = solution(strategy, hard)?;
            strategy.decide(hard, &solution)
        };
        let seen: Vec<bool> = (1..=9).map(|level| sees(level).is_some()).collect();
        assert!(seen.is_sorted() && seen[4] && !seen[3], "{seen:?}");
        let strategy = BotStrategy { level: 9, seed: 1 };
        assert_eq!(solution(strategy, "nothing"), None);
    }

    #[test]
    fn options_that_the_host_changed_decide_whether_it_bids_or_hands_in() {
        let client = RoomClient::nowhere();
        let strategy = BotStrategy { level: 9, seed: 1 };
        let mut player = Player::new(&client, strategy, None);
        let mut hear = |message: Value| {
            player.handle_message(&message, &mut |_| ());
            player.plans.values().next().cloned()
        };
        let welcome = json!({"type": "welcome", "snapshot": {"options": {"style": "bidding"}}});
        let changed = json!({"type": "event", "event": "options-changed",
            "options": {"style": "secret"}, "teams": []});
        let round = json!({"type": "event", "event": "round-started", "puzzle": "8x8..0034.R77"});
        assert_eq!(hear(welcome), None);
        assert!(matches!(hear(round.clone()), Some(PlannedAction::Bid(_))));
        assert!(
            matches!(hear(changed), Some(PlannedAction::Bid(_))),
            "the plan stays"
        );
        assert_eq!(hear(round), Some(PlannedAction::Submit));
    }
}
