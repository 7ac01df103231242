//! Limits the memory for files and decoded pictures in a process. A request or job waits until there is enough memory
//! for its picture, so that all uploads together stay within the configured limit. Inspections, for which readers wait,
//! have a separate budget, because they are short and decoding is not.

use std::sync::Arc;

use chassis::error::{Code, Fault};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const MIB: u64 = 1 << 20;

/// A budget of memory. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    /// The purpose of the memory, for the metric.
    purpose: &'static str,
    /// One permit per MiB.
    room: Arc<Semaphore>,
    whole: u32,
}

/// Reserved memory, released on drop.
#[derive(Debug)]
pub(crate) struct Reserved {
    permit: Option<OwnedSemaphorePermit>,
    memory: Memory,
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.permit.take();
        self.memory.measure();
    }
}

impl Memory {
    pub(crate) fn new(purpose: &'static str, megabytes: u32) -> Self {
        Self {
            purpose,
            room: Arc::new(Semaphore::new(megabytes as usize)),
            whole: megabytes,
        }
    }

    /// Waits until this many bytes are available, in order of arrival. A request for more than the budget waits for the
    /// whole budget.
    pub(crate) async fn reserve(&self, bytes: u64) -> Result<Reserved, Fault> {
        let wanted = u32::try_from(bytes.div_ceil(MIB)).unwrap_or(u32::MAX);
        let wanted = wanted.clamp(1, self.whole);
        let permit = Arc::clone(&self.room).acquire_many_owned(wanted).await;
        let permit = permit.map_err(|_| Fault::new(Code::Internal, "no memory is given out"))?;
        self.measure();
        Ok(Reserved {
            permit: Some(permit),
            memory: self.clone(),
        })
    }

    fn measure(&self) {
        let free = u32::try_from(self.room.available_permits()).unwrap_or(self.whole);
        let taken = self.whole.saturating_sub(free);
        let purpose = self.purpose;
        metrics::gauge!("photos_memory_bytes", "purpose" => purpose)
            .set(f64::from(taken) * 1_048_576.0);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    #[tokio::test]
    async fn there_is_never_more_memory_in_use_than_allowed() {
        let memory = Memory::new("tests", 10);
        let first = memory.reserve(6 * MIB).await.expect("room");
        let second = memory.reserve(3 * MIB + 1).await.expect("room");
        assert!(memory.reserve(1).now_or_never().is_none());
        drop(first);
        let third = memory.reserve(6 * MIB).await.expect("room");
        drop((second, third));
        // A request for more than the budget gets the whole budget.
        let all = memory.reserve(50 * MIB).await.expect("room");
        assert!(memory.reserve(1).now_or_never().is_none());
        drop(all);
        memory.reserve(0).await.expect("room");
    }

    #[test]
    fn the_metric_tells_what_is_in_use_now() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let page = recorder.handle();
        metrics::with_local_recorder(&recorder, || {
            let memory = Memory::new("tests", 10);
            let reserved = memory.reserve(2 * MIB).now_or_never();
            assert!(
                page.render()
                    .contains("photos_memory_bytes{purpose=\"tests\"} 2097152")
            );
            drop(reserved);
            assert!(
                page.render()
                    .contains("photos_memory_bytes{purpose=\"tests\"} 0")
            );
        });
    }
}
