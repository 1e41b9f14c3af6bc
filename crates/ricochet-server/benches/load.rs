//! Many clients at once on loopback, asking easy and hard questions:
//!
//! ```sh
//! cargo bench -p ricochet-server --bench load            # 200 clients for 60 s
//! LOAD_SECONDS=10 LOAD_CLIENTS=50 cargo bench -p ricochet-server --bench load
//! LOAD_SECOND_SLICE=0 cargo bench -p ricochet-server --bench load   # without the middle lane
//! LOAD_CROWD=2000 cargo bench -p ricochet-server --bench load       # with a crowd and a flood
//! ```
//!
//! Three of four clients ask easy questions: they solve and check positions as the generator makes
//! them, and draw them. The others ask what no solver here ends within its time. Each client thinks
//! for half a second to a second and a half between questions, as people do. When the time is over all
//! of them leave: what they still wait for is counted as open, and not waited for. The program fails if
//! anything but 200 and 503 comes back.

#[path = "support/crowd.rs"]
mod crowd;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ricochet_core::generate::Recipe;
use ricochet_core::notation;
use ricochet_core::quadrants::Edition;
use ricochet_core::rng::Rng;
use ricochet_server::{Config, Server};
use ricochet_service::RequestLimits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Answers of one kind: how often which status, and the times of those that were 200, by question.
#[derive(Default)]
struct Tally {
    statuses: BTreeMap<u16, u64>,
    millis: BTreeMap<&'static str, Vec<f64>>,
    /// How long those who left at the end had waited.
    open: Vec<f64>,
}

/// p50, p95, p99 and the most, in words.
fn spread(mut millis: Vec<f64>) -> String {
    millis.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (millis.len() as f64 * share) as usize;
        millis.get(index).copied().unwrap_or(f64::NAN)
    };
    let most = millis.last().copied().unwrap_or(f64::NAN);
    let [half, p95, p99] = [0.5, 0.95, 0.99].map(at);
    format!("p50 {half:.1} ms, p95 {p95:.1} ms, p99 {p99:.1} ms, most {most:.1} ms")
}

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn main() {
    let clients = number("LOAD_CLIENTS", 200);
    let seconds = number("LOAD_SECONDS", 60);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let tallies = runtime.block_on(run(clients, Duration::from_secs(seconds)));
    println!("{clients} clients, {seconds} s, {} cores", cores());
    let mut wrong = false;
    for (name, tally) in ["easy", "hard"].into_iter().zip(tallies) {
        let tally = tally.lock().expect("no client panicked");
        let all = tally.millis.values().flatten().copied().collect();
        println!("{name}: {:?}; {}", tally.statuses, spread(all));
        for (question, millis) in &tally.millis {
            println!("  {question}, {}: {}", millis.len(), spread(millis.clone()));
        }
        if !tally.open.is_empty() {
            let waited = spread(tally.open.clone());
            println!(
                "  open at the end, {}, waiting for {waited}",
                tally.open.len()
            );
        }
        wrong |= tally
            .statuses
            .keys()
            .any(|status| ![200, 503].contains(status));
    }
    println!("memory at most: {}", peak());
    assert!(!wrong, "something else than 200 and 503");
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The largest resident size of this process, clients included.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |it| it.trim().to_owned())
}

async fn run(clients: u64, time: Duration) -> [Arc<Mutex<Tally>>; 2] {
    let usual = Config::default();
    let slice = |name, usual: RequestLimits| RequestLimits {
        ms: Some(number(name, usual.ms.unwrap_or_default())),
        ..usual
    };
    let [first, second] = usual.slices;
    let config = Config {
        port: Some(0),
        slices: [
            slice("LOAD_SLICE", first),
            slice("LOAD_SECOND_SLICE", second),
        ],
        slow_workers: number("LOAD_SLOW_WORKERS", usual.slow_workers as u64) as usize,
        ..usual
    };
    let crowd = number("LOAD_CROWD", 0) as usize;
    let config = Config {
        max_connections: config.max_connections + 2 * crowd,
        ..config
    };
    let server = Server::bind(config).await.expect("a free port");
    let address = server.address();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(server.run(async {
        let _ = ended.await;
    }));
    let tallies = [Arc::<Mutex<Tally>>::default(), Arc::default()];
    let until = Instant::now() + time;
    let mut tasks = Vec::new();
    for number in 0..clients {
        let hard = number % 4 == 3;
        let tally = Arc::clone(&tallies[usize::from(hard)]);
        tasks.push(tokio::spawn(client(address, number, hard, tally, until)));
    }
    if crowd > 0 {
        let report = crowd::run(address, crowd, until - Instant::now()).await;
        println!("{report}");
        report.check();
    }
    for task in tasks {
        task.await.expect("a client");
    }
    let request = format!("GET /metrics HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    let metrics = ask(address, &request).await.expect("metrics");
    let counters = metrics
        .lines()
        .filter(|line| line.starts_with("ricochet_") && line.contains("_total "));
    println!("{}", counters.collect::<Vec<_>>().join(", "));
    let _ = end.send(());
    serving.await.expect("the server");
    tallies
}

async fn client(
    address: SocketAddr,
    number: u64,
    hard: bool,
    tally: Arc<Mutex<Tally>>,
    until: Instant,
) {
    let recipe = Recipe::official(Edition::Of2013);
    let mut rng = Rng::stream(7, number);
    let mut count = 0;
    while Instant::now() < until {
        let think = 500 + rng.below(1000) as u64;
        tokio::time::sleep(Duration::from_millis(think)).await;
        if Instant::now() >= until {
            return;
        }
        count += 1;
        let puzzle = recipe.puzzle(number, count).expect("a puzzle");
        let line = notation::to_line(&puzzle);
        let (question, body) = match count % 3 {
            _ if hard => (
                "solve",
                format!(
                    r#"{{"puzzle":"16x16..00112233445566{:x}7.R88","solver":"iddfs:memo=off","limits":{{"ms":{}}}}}"#,
                    number % 6,
                    2_000 + number * 100 + count
                ),
            ),
            0 => ("draw", format!(r#"{{"puzzle":"{line}"}}"#)),
            1 => ("solve", format!(r#"{{"puzzle":"{line}"}}"#)),
            _ => ("check", format!(r#"{{"puzzle":"{line}","moves":"RN GE"}}"#)),
        };
        let started = Instant::now();
        let request = post(address, question, &body);
        let asked = tokio::time::timeout_at(until.into(), ask(address, &request));
        let status = match asked.await {
            Ok(Ok(answer)) => status_of(&answer).unwrap_or(0),
            Ok(Err(_)) => 0,
            Err(_) => {
                let waited = started.elapsed().as_secs_f64() * 1e3;
                tally.lock().expect("no client panicked").open.push(waited);
                return;
            }
        };
        let mut tally = tally.lock().expect("no client panicked");
        *tally.statuses.entry(status).or_default() += 1;
        if status == 200 {
            let millis = started.elapsed().as_secs_f64() * 1e3;
            tally.millis.entry(question).or_default().push(millis);
        }
    }
}

fn post(address: SocketAddr, question: &str, body: &str) -> String {
    format!(
        "POST /api/v1/{question} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Asks on a connection of its own; the whole answer is read.
async fn ask(address: SocketAddr, request: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn status_of(answer: &str) -> Option<u16> {
    answer.split(' ').nth(1)?.parse().ok()
}
