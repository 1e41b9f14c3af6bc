//! Rooms over real sockets.

mod bots;
mod calls;
mod hostile;
mod returning;
mod rules;
mod secrets;
mod several;
mod table;
