//! The rules by name, any sequence of commands against a slow referee, and what may not leak.

mod any_sequence;
mod automatic;
mod between;
mod options;
mod referee;
mod rules;
mod secrets;
mod table;
