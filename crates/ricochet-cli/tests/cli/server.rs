//! A server as a process, and a client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// `ricochet serve` as a process.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ricochet"))
            .args(["serve", "--port", "0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap();
        let address = address.strip_suffix('/').unwrap().to_owned();
        Self { child, address }
    }

    /// Sends a request and gives status and body; `None` if the server went away.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
        ask(&self.address, method, path, body)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request and gives status and body; `None` if the server went away.
pub(crate) fn ask(address: &str, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
    ask_as(address, method, path, "", body)
}

/// The same with the token of a player.
pub(crate) fn ask_as(
    address: &str,
    method: &str,
    path: &str,
    token: &str,
    body: &str,
) -> Option<(u16, String)> {
    let mut stream = send(address, method, path, token, body)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, body.to_owned()))
}

/// Sends a request; the answer can then be read.
pub(crate) fn send(
    address: &str,
    method: &str,
    path: &str,
    token: &str,
    body: &str,
) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(address).ok()?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         authorization: Bearer {token}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    Some(stream)
}
