//! What a search reports to: its observer, and the recorder behind it if there is one.

use super::{NodeId, Recorder};
use crate::{DepthRow, Observer};

/// The observer of one call. Whether it has a recorder is checked once, so that an untraced
/// search pays only for a branch.
pub(crate) struct Watch<'a> {
    observer: &'a mut dyn Observer,
    is_tracing: bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(observer: &'a mut dyn Observer) -> Self {
        let is_tracing = observer.recorder().is_some();
        Self {
            observer,
            is_tracing,
        }
    }

    #[inline]
    pub(crate) fn is_tracing(&self) -> bool {
        self.is_tracing
    }

    /// Reports a finished depth or layer.
    pub(crate) fn depth_done(&mut self, row: &DepthRow) {
        self.trace(|recorder| recorder.layer(row));
        self.observer.depth_done(row);
    }

    /// Records an event if the search is traced.
    #[inline]
    pub(crate) fn trace<T: Default>(&mut self, record: impl FnOnce(&mut Recorder) -> T) -> T {
        if self.is_tracing {
            self.record(record)
        } else {
            T::default()
        }
    }

    #[cold]
    #[inline(never)]
    fn record<T: Default>(&mut self, record: impl FnOnce(&mut Recorder) -> T) -> T {
        self.observer.recorder().map(record).unwrap_or_default()
    }
}

/// The nodes of the states that a search has numbered itself, as long as events are kept.
#[derive(Debug, Default)]
pub(crate) struct NodeIds(Vec<NodeId>);

impl NodeIds {
    /// The node of the state with the next number.
    pub(crate) fn push(&mut self, recorder: &Recorder, id: NodeId) {
        if !recorder.is_full() {
            self.0.push(id);
        }
    }

    /// The node of a state. It does not matter once no events are kept.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> NodeId {
        self.0.get(number).copied().unwrap_or_default()
    }
}
