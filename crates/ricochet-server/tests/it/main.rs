//! The server from outside, as one program.

mod http;
mod lanes;
mod openapi;
mod rooms;
mod sockets;
mod stored;
mod support;
