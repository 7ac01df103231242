//! The system for operators' commands.

use std::sync::Arc;

use chassis::{clock::SystemClock, error::Fault, rpc::Transport};
use tonic::Status;

use crate::{settings::Settings, system::System, targets::Target};

/// Formats the reason for a call's failure as one line, for the operator.
pub(super) fn failure(status: Status) -> String {
    Fault::from(status).line()
}

/// The services that a command calls: in this process, or at their configured addresses.
pub(super) struct Operated(System);

impl Operated {
    /// Connects to all services. The error message is for the operator.
    pub(super) async fn connect(settings: &Settings) -> Result<Self, String> {
        let system = System::create(settings, Target::ALL, Arc::new(SystemClock));
        system.await.map(Self).map_err(|fault| fault.message)
    }

    /// Returns the transport to a service. The error message is for the operator.
    pub(super) fn transport(&self, target: Target) -> Result<Transport, String> {
        self.0.transport(target).map_err(|fault| fault.message)
    }
}
