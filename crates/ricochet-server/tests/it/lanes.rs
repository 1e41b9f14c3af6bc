//! Easy questions do not wait for hard ones, disconnecting cancels a search, and a full queue refuses.

use std::time::Duration;

use crate::support::{Client, json_of, text_of};
use axum::http::{Method, StatusCode, header};
use ricochet_server::{Config, ManualClock};
use ricochet_service::RequestLimits;
use serde_json::{Value, json};

/// A question that takes as long as it is let: no solver here ends it.
fn hard(number: u32) -> Value {
    // The goal cannot be reached, and the proof takes all positions of eight robots.
    let line = format!("16x16..00112233445566{:x}7.R88", number % 6);
    json!({"puzzle": line, "solver": "iddfs:memo=off"})
}

fn config() -> Config {
    let mut config = Config {
        quick_workers: 1,
        slow_workers: 1,
        slow_queue: 1,
        // Slices by nodes: what passes and what goes on does not depend on how busy the machine is.
        slices: [1_000, 2_000].map(|nodes| RequestLimits {
            nodes: Some(nodes),
            ..RequestLimits::default()
        }),
        keep_alive: Duration::from_millis(20),
        ..Config::default()
    };
    config.policy.ms = Some(600_000);
    config
}

async fn metric(client: &Client, name: &str) -> u64 {
    let metrics = text_of(client.get("/metrics").await).await;
    let line = metrics
        .lines()
        .find(|line| line.starts_with(&format!("ricochet_{name} ")));
    line.unwrap().rsplit(' ').next().unwrap().parse().unwrap()
}

/// Waits for something that has to happen, whatever the machine is doing.
async fn until<F: Future<Output = bool>>(what: &str, mut check: impl FnMut() -> F) {
    for _ in 0..6000 {
        if check().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn easy_questions_pass_hard_ones_and_the_full_lane_says_so() {
    let client = std::sync::Arc::new(Client::new(config()));
    // One runs, one waits. The second comes only when the first has left the queue, which may take its
    // time: the slow thread gets the processor last.
    let mut tasks = Vec::new();
    for (number, gauge) in [(0, "slow_running"), (1, "slow_waiting")] {
        let asker = std::sync::Arc::clone(&client);
        tasks.push(tokio::spawn(async move {
            asker.post("/api/v1/solve", &hard(number)).await
        }));
        until(gauge, || async { metric(&client, gauge).await == 1 }).await;
    }
    // An easy one is answered all the same.
    let easy = json_of(
        client
            .post("/api/v1/solve", &json!({"puzzle": "4x3..0012.R31"}))
            .await,
    )
    .await;
    assert_eq!(easy["length"], 3);
    // A third hard one is refused, with a time to come again.
    let refused = client.post("/api/v1/solve", &hard(2)).await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.headers().contains_key(header::RETRY_AFTER));
    assert_eq!(json_of(refused).await["error"]["kind"], "busy");
    // Nor does it get another first slice with other limits: it is known to be hard.
    let before = metric(&client, "slow_total").await;
    let mut again = hard(2);
    again["limits"] = json!({"ms": 12_345});
    let refused = client.post("/api/v1/solve", &again).await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(metric(&client, "slow_total").await, before);
    // Who leaves is not worked for.
    for task in tasks {
        task.abort();
    }
    until("both are abandoned", || async {
        metric(&client, "abandoned_total").await == 2
    })
    .await;
    // The slow lane is free again: a hard question with a limit ends with an answer.
    until("room in the slow lane", || async {
        let mut fields = hard(3);
        fields["limits"] = json!({"nodes": 3_000});
        let response = client.post("/api/v1/solve", &fields).await;
        response.status() == StatusCode::OK && json_of(response).await["outcome"] == "limit"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_cannot_overdraw_its_solver_time() {
    let client = std::sync::Arc::new(Client::new(Config {
        budget: Some(5),
        behind_proxy: true,
        slow_queue: 100,
        clock: ManualClock::new(Duration::from_secs(1_800_000_000)).clock(),
        ..config()
    }));
    let ask = |from: &'static str, fields: Value| {
        let client = std::sync::Arc::clone(&client);
        let headers = [
            ("content-type", "application/json"),
            ("x-forwarded-for", from),
        ];
        tokio::spawn(async move {
            let body = fields.to_string();
            let response = client.send(Method::POST, "/api/v1/solve", &headers, &body);
            let response = response.await;
            let wait = response.headers().get(header::RETRY_AFTER).cloned();
            (response.status(), wait)
        })
    };
    // 16 hard questions at once. The clock stands still, so what is reserved does not come back.
    let tasks: Vec<_> = (0..16)
        .map(|number| {
            let mut fields = hard(number);
            fields["limits"] = json!({"ms": 60_000 + number});
            ask("192.0.2.1", fields)
        })
        .collect();
    until("all but a few are refused", || {
        let done = tasks.iter().filter(|task| task.is_finished()).count();
        async move { done >= 13 }
    })
    .await;
    // A fresh address is served, and so is an easy question of the same one.
    let easy = json!({"puzzle": "4x3..0012.R31"});
    for from in ["192.0.2.2", "192.0.2.1"] {
        let (status, _) = ask(from, easy.clone()).await.unwrap();
        assert_eq!(status, StatusCode::OK, "{from}");
    }
    // Those that are served end when the time reserved for them is over; what they did not use of it
    // may admit another one.
    let mut refused = 0;
    for task in tasks {
        let (status, wait) = task.await.unwrap();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            assert!(wait.is_some());
            refused += 1;
        } else {
            assert_eq!(status, StatusCode::OK);
        }
    }
    assert!(refused >= 11, "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_is_kept_alive_and_ends_when_it_is_dropped() {
    let client = Client::new(config());
    let headers = [
        ("content-type", "application/json"),
        ("accept", "application/x-ndjson"),
    ];
    let response = client
        .send(
            Method::POST,
            "/api/v1/solve",
            &headers,
            &hard(0).to_string(),
        )
        .await;
    assert_eq!(response.status(), StatusCode::OK);
    let mut body = response.into_body().into_data_stream();
    let mut blank = false;
    for _ in 0..1000 {
        let next = std::future::poll_fn(|context| {
            futures_core::Stream::poll_next(std::pin::Pin::new(&mut body), context)
        });
        let line = next.await.unwrap().unwrap();
        blank |= line.as_ref() == b"\n";
        if blank {
            break;
        }
    }
    assert!(blank, "a blank line while the search goes on");
    drop(body);
    until("it is abandoned", || async {
        metric(&client, "abandoned_total").await == 1
    })
    .await;
}

#[tokio::test]
async fn a_client_that_spent_its_time_waits() {
    let mut config = Config {
        behind_proxy: true,
        budget: Some(1),
        ..config()
    };
    config.slow_queue = 8;
    let client = Client::new(config);
    let mut fields = hard(0);
    fields["limits"] = json!({"ms": 1500});
    let ask = |address: &'static str, fields: String| {
        let client = &client;
        async move {
            let headers = [
                ("content-type", "application/json"),
                ("x-forwarded-for", address),
            ];
            client
                .send(Method::POST, "/api/v1/solve", &headers, &fields)
                .await
        }
    };
    assert_eq!(
        ask("192.0.2.1", fields.to_string()).await.status(),
        StatusCode::OK
    );
    let easy = json!({"puzzle": "4x3..0012.R31"}).to_string();
    // What is left is for easy questions.
    let easy_one = ask("192.0.2.1", easy.clone()).await;
    assert_eq!(easy_one.status(), StatusCode::OK);
    let refused = ask("192.0.2.1", hard(1).to_string()).await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    let wait: u64 = refused.headers()[header::RETRY_AFTER]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(wait >= 1);
    assert_eq!(
        ask("192.0.2.2", easy).await.status(),
        StatusCode::OK,
        "others are served"
    );
}
