//! `Room`: the round with bids of `ricochet-rooms`, for the environment of several players.
//!
//! All rules are the room's. It takes commands with the time, and returns what happened
//! as events, as the server sends them: JSON.

use pyo3::prelude::*;
use ricochet_rooms::{Command, LogEntry, Optimum, Options, PlayerId, Time};

use crate::errors;
use crate::moves::{Solution, one};

/// Players at one board who bid and show, as the printed rules say. There is no clock: every
/// command has its time in milliseconds, which must not go back.
#[pyclass(module = "ricochet_engine._native")]
pub(crate) struct Room(ricochet_rooms::Room);

#[pymethods]
impl Room {
    /// Opens a room with this many players, who are numbered from 1, and starts the game. `options` are
    /// the JSON of those of `ricochet serve`'s rooms.
    #[new]
    fn new(options: &str, seed: u64, players: u32) -> PyResult<Self> {
        let options: Options = serde_json::from_str(options)
            .map_err(|error| errors::bad(format!("options of a room: {error}")))?;
        let opened = ricochet_rooms::Room::open(options, seed, Time(0));
        let (room, _) = opened.map_err(|error| errors::bad(error.to_string()))?;
        let mut room = Self(room);
        for number in 1..=players {
            room.accepted(Command::join(format!("player {number}")))?;
        }
        let player = PlayerId(1);
        room.accepted(Command::Start { player })?;
        Ok(room)
    }

    /// The JSON of everything that spectators see.
    #[getter]
    fn view(&self) -> PyResult<String> {
        json(&self.0.view(None))
    }

    /// When something happens by itself; None if nothing does.
    #[getter]
    fn deadline(&self) -> Option<u64> {
        self.0.deadline().map(|time| time.0)
    }

    /// The line of the puzzle that has to be prepared before its round begins; None if there is none.
    #[getter]
    fn to_prepare(&self) -> Option<String> {
        let (_, puzzle) = self.0.to_prepare()?;
        Some(ricochet_core::notation::to_line(&puzzle))
    }

    /// Begins the round that is being prepared, with a shortest solution if one is known. `unsolvable`
    /// lets the room turn up another chip.
    #[pyo3(signature = (now, solution = None, *, unsolvable = false))]
    fn prepare(
        &mut self,
        now: u64,
        solution: Option<&Bound<'_, Solution>>,
        unsolvable: bool,
    ) -> PyResult<Vec<String>> {
        let Some((round, _)) = self.0.to_prepare() else {
            return Err(errors::bad("no round is being prepared"));
        };
        let optimum = match solution {
            Some(solution) => Optimum::Solved(solution.get().0.clone()),
            None if unsolvable => Optimum::Unsolvable,
            None => Optimum::Unknown,
        };
        Ok(self.say(now, Command::Prepared { round, optimum })?.0)
    }

    /// Bids. The events, and why the room refused, if it did.
    fn bid(
        &mut self,
        now: u64,
        player: u32,
        moves: u32,
    ) -> PyResult<(Vec<String>, Option<String>)> {
        let player = PlayerId(player);
        self.say(now, Command::Bid { player, moves })
    }

    /// Votes to end a round that nobody has bid on.
    fn skip(&mut self, now: u64, player: u32) -> PyResult<(Vec<String>, Option<String>)> {
        let player = PlayerId(player);
        self.say(now, Command::Skip { player, yes: true })
    }

    /// Shows the next move.
    fn show(
        &mut self,
        now: u64,
        player: u32,
        play: &Bound<'_, PyAny>,
    ) -> PyResult<(Vec<String>, Option<String>)> {
        let (player, play) = (PlayerId(player), one(play)?);
        self.say(now, Command::Show { player, play })
    }

    /// Gives up a show.
    fn give_up(&mut self, now: u64, player: u32) -> PyResult<(Vec<String>, Option<String>)> {
        let player = PlayerId(player);
        self.say(now, Command::GiveUp { player })
    }

    /// Lets time pass.
    fn tick(&mut self, now: u64) -> PyResult<Vec<String>> {
        Ok(self.say(now, Command::Tick)?.0)
    }

    fn __repr__(&self) -> String {
        let players = self.0.players().len();
        format!("<Room of {players} players, {}>", self.0.view(None).phase)
    }
}

impl Room {
    fn say(&mut self, now: u64, command: Command) -> PyResult<(Vec<String>, Option<String>)> {
        let reply = self.0.handle(Time(now), command);
        let seen = |event: &LogEntry| json(&event.seen_by(None));
        let events = reply.events.iter().map(seen).collect::<PyResult<_>>()?;
        Ok((events, reply.refusal.map(|refusal| refusal.to_string())))
    }

    fn accepted(&mut self, command: Command) -> PyResult<()> {
        match self.say(0, command)?.1 {
            Some(refusal) => Err(errors::bad(refusal)),
            None => Ok(()),
        }
    }
}

fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| errors::bad(error.to_string()))
}
