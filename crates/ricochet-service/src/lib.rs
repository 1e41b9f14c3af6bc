//! Every question about Ricochet Robots as one typed request with one typed answer.
//!
//! The command line, the server and the page in a browser are front ends of this crate. It knows nothing
//! about how a request arrived: it has no sockets, files, threads or clock of its own, so it runs wherever
//! the solvers run.
//!
//! ```
//! use ricochet_service::{Answer, Call, Policy, Request};
//!
//! let request = Request::from_json(r#"{"ask":"position","puzzle":"4x3..0012.R31"}"#)?;
//! let answer = Call::new(&Policy::default())
//!     .on_progress(|progress| eprintln!("{} nodes", progress.nodes))
//!     .answer(&request)?;
//! let Answer::Position(here) = answer else { panic!() };
//! assert_eq!(here.distance, Some(3));
//! assert_eq!(here.moves[0].play.0.to_string(), "RE");
//! # Ok::<(), ricochet_service::Error>(())
//! ```
//!
//! - A [`Request`] is read from JSON or built in Rust; [`QUESTIONS`] lists the questions, and
//!   [`questions`] has the fields and the answer of each.
//! - A [`Call`] answers it. It reports progress through a callback, can be cancelled through a
//!   [`CancelToken`](ricochet_solve::CancelToken), and stays within the limits of the [`Policy`], which a
//!   request can lower but never raise.
//! - An [`Answer`] has the same JSON everywhere: `ricochet solve --json` prints a
//!   [`SolveAnswer`](questions::solve::SolveAnswer), and the server sends one. [`schema`] generates the
//!   JSON Schema from these types.
//! - Reaching a limit is an answer, with the lower bound that was proved. Unknown values are null, never
//!   0. An [`Error`] means that there is no answer; it lists everything that is wrong with a puzzle.
//! - Every solution is replayed cell by cell before it is reported.

mod call;
pub mod command_rows;
mod error;
pub mod generation;
pub mod json;
mod policy;
pub mod posthoc;
mod puzzle_input;
mod puzzle_view;
pub mod questions;
mod request;
pub mod schema;
mod trace;

pub use call::{Call, OptionValue, Progress, VerifiedSearch, random_seed};
pub use error::{Code, Error, ErrorKind, ProblemInfo};
pub use policy::{Policy, RequestLimits};
pub use puzzle_input::PuzzleInput;
pub use puzzle_view::{
    DiagonalView, GoalView, LeanView, PuzzleView, RulesView, SetupInput, ShapeName, TargetView,
};
pub use request::{Answer, QUESTIONS, Question, QuestionInfo, Request, RequestKey};
pub use trace::{StoppedBy, TraceStep};
