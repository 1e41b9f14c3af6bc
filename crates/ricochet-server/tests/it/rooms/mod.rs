//! Rooms over real sockets.

mod bots;
mod clock;
mod hostile;
mod lobby;
mod processes;
mod reconnecting;
mod rules;
mod secrets;
mod standing;
mod table;
