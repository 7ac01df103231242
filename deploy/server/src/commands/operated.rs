//! The system as operators' commands reach it.

use std::sync::Arc;

use chassis::{clock::SystemClock, rpc::Transport};

use crate::{settings::Settings, system::System, targets::Target};

/// The services that a command calls: in this process, or where the settings say that they run.
pub(super) struct Operated(System);

impl Operated {
    /// Reaches all services. The message is for the operator.
    pub(super) async fn connect(settings: &Settings) -> Result<Self, String> {
        let system = System::create(settings, Target::ALL, Arc::new(SystemClock));
        system.await.map(Self).map_err(|fault| fault.message)
    }

    /// The way to one service. The message is for the operator.
    pub(super) fn transport(&self, target: Target) -> Result<Transport, String> {
        self.0.transport(target).map_err(|fault| fault.message)
    }
}
