//! What the tests and the fuzz target do with a request.

use ricochet_service::{Call, Policy, Request};

/// Whatever is asked: an answer that is JSON, or an error; never a panic.
pub fn any_text(text: &str) {
    // A policy that ends every search at once.
    let policy = Policy {
        ms: Some(3),
        nodes: Some(2_000),
        memory_mib: Some(8),
        candidates: 5,
        ..Policy::default()
    };
    if let Ok(request) = Request::from_json(text) {
        let written = serde_json::to_string(&request).expect("a request is JSON");
        let again = Request::from_json(&written).expect("and comes back");
        assert_eq!(request, again);
        if let Ok(answer) = Call::new(&policy).seed(1).answer(&request) {
            serde_json::to_string(&answer).expect("an answer is JSON");
        }
    }
}
