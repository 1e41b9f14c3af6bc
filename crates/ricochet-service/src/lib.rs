//! Every question about Ricochet Robots as one typed request with one typed answer.
//!
//! The command line, the server and the page in a browser are front ends of this crate. It knows nothing
//! about how a request arrived: no sockets, no files, no threads, and no clock but that of the solvers, so
//! that it runs wherever they do.
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
//!   [`questions`] has a module for each with its fields and its answer.
//! - [`Call`] answers it: with progress through a callback, cancelled through a
//!   [`CancelToken`](ricochet_solve::CancelToken), within the limits of the [`Policy`], which a request
//!   can lower but never raise.
//! - An [`Answer`] is JSON of the same types everywhere: `ricochet solve --json` prints a
//!   [`SolveAnswer`](questions::solve::SolveAnswer), and the server sends one. [`schema`] has the
//!   JSON Schema, which is written from these types.
//! - A limit that was reached is an answer, with the lower bound that was proved. What is unknown is
//!   null, never 0. An [`Error`] says that there is no answer, and all that is wrong with a puzzle.
//! - Every solution is replayed cell by cell before it is reported.

mod call;
mod code;
mod error;
mod field_error;
pub mod generation;
pub mod narrate;
mod policy;
mod puzzle_input;
pub mod questions;
mod request;
pub mod rows;
pub mod schema;
mod trace;
mod view;
pub mod words;

pub use call::{Call, OptionValue, Progress, VerifiedSearch, random_seed};
pub use code::Code;
pub use error::{Error, ErrorKind, Fault};
pub use policy::{Policy, RequestLimits};
pub use puzzle_input::PuzzleInput;
pub use request::{Answer, QUESTIONS, Question, QuestionInfo, Request, RequestKey};
pub use trace::{StoppedBy, TraceStep};
pub use view::{DiagonalView, Draft, GoalView, LeanView, RulesView, ShapeName, TargetView, View};
