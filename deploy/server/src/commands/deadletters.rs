//! `cityguide deadletters`: events that could not be processed.

use chassis::{bus::RabbitMqBus, lifecycle::Lifecycle};
use clap::Subcommand;

use super::console::print;
use crate::settings::Settings;

#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum DeadLetters {
    /// List the oldest dead letters without removing them.
    List {
        /// Maximum number of dead letters
        #[arg(long, default_value_t = 50)]
        most: usize,
    },
    /// Return dead letters to their original queues, after the cause of their failure has been fixed.
    Replay {
        /// Maximum number of dead letters
        #[arg(long, default_value_t = 1000)]
        most: usize,
    },
}

pub(super) async fn deadletters(settings: &Settings, what: DeadLetters) -> Result<(), String> {
    if settings.bus.url.is_empty() {
        return Err("bus.url is not set: within one process there are no dead letters".to_owned());
    }
    let bus = RabbitMqBus::new(
        &settings.bus.url,
        &settings.bus.ca,
        &settings.bus.namespace,
        &Lifecycle::new(),
    )
    .map_err(|fault| fault.message)?;
    match what {
        DeadLetters::List { most } => {
            let letters = bus
                .dead_letters(most)
                .await
                .map_err(|fault| fault.message)?;
            for letter in &letters {
                print(&format!(
                    "{} from {}, {} bytes",
                    letter.id, letter.queue, letter.size
                ))?;
            }
            print(&format!("{} dead letters", letters.len()))
        }
        DeadLetters::Replay { most } => {
            let sent = bus
                .replay_dead_letters(most)
                .await
                .map_err(|fault| fault.message)?;
            print(&format!("{sent} sent back"))
        }
    }
}
