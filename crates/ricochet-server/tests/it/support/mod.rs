//! A client without a socket.
#![allow(unreachable_pub, dead_code, reason = "each test file uses a part")]

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, Response};
use ricochet_server::{Config, app};
use ricochet_service::RequestLimits;
use serde_json::Value;
use tower::ServiceExt;

/// A slice of so much time.
pub fn milliseconds(ms: u64) -> RequestLimits {
    RequestLimits {
        ms: Some(ms),
        ..RequestLimits::default()
    }
}

pub struct Client(Router);

impl Client {
    pub fn new(config: Config) -> Self {
        Self(app(config).unwrap())
    }

    pub async fn get(&self, path: &str) -> Response<Body> {
        self.send(Method::GET, path, &[], "").await
    }

    pub async fn post(&self, path: &str, fields: &Value) -> Response<Body> {
        let headers = [("content-type", "application/json")];
        self.send(Method::POST, path, &headers, &fields.to_string())
            .await
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", "localhost");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body.to_owned())).unwrap();
        self.0.clone().oneshot(request).await.unwrap()
    }
}

pub async fn text_of(response: Response<Body>) -> String {
    let bytes = to_bytes(response.into_body(), 64 << 20).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub async fn json_of(response: Response<Body>) -> Value {
    serde_json::from_str(&text_of(response).await).unwrap()
}
