//! The one program. It parses, runs, and tells failures in one line.

use std::{io::Write, process::ExitCode};

use cityguide::{Cli, run};
use clap::Parser;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let outcome = match runtime {
        Ok(runtime) => runtime.block_on(run(cli)),
        Err(error) => Err(format!("the runtime did not start: {error}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Nobody is left to tell where stderr is closed.
            let _ = writeln!(std::io::stderr(), "cityguide: {message}");
            ExitCode::FAILURE
        }
    }
}
