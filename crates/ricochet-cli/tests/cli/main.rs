//! The program as its users see it: what it prints, writes and gives back.

mod census;
mod draw;
mod hostile;
mod interrupting;
mod manners;
mod reading;
mod snapshots;
