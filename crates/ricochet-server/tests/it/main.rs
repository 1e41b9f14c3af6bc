//! Integration tests of the server, in one binary.

mod http;
mod lanes;
mod links;
mod mcp;
mod openapi;
mod rooms;
mod sockets;
mod storage;
mod support;
