//! Bytes on a connection to a server: whatever comes back is HTTP, no error is the server's own, and
//! the server still answers afterwards.
#![no_main]

#[path = "support/server.rs"]
mod server;

use std::cell::RefCell;
use std::time::Duration;

use server::{FuzzServer, exchange};

/// The last request of every input: if the bytes before it are whole requests, it ends the connection.
const LAST: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

/// How long the server waits for the rest of a request: most inputs are none.
const SHORT: Duration = Duration::from_millis(40);

thread_local! {
    static SERVER: RefCell<FuzzServer> = RefCell::new(FuzzServer::new(SHORT));
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    SERVER.with_borrow_mut(|server| {
        server.run(async |address| {
            let sent = [bytes, LAST].concat();
            let received = exchange(address, &sent, Duration::from_millis(150)).await;
            let text = String::from_utf8_lossy(&received);
            assert!(text.is_empty() || text.starts_with("HTTP/1."), "{text}");
            assert!(!text.starts_with("HTTP/1.1 500"), "{text}");
            // A busy machine may be too late for the server's short patience.
            let mut tries = 0..100;
            while !exchange(address, LAST, Duration::from_secs(20))
                .await
                .starts_with(b"HTTP/1.1 200")
            {
                tries.next().expect("the server answers");
            }
        });
    });
});
