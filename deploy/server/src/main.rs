//! Parses the command line, runs the command and prints an error in one line.

use std::{io::Write, process::ExitCode};

use cityguide::{Cli, run};
use clap::Parser;

/// An allocator that suits requests, which make many small allocations on one thread and free them on another.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Disables huge pages for the allocator's memory. A huge page remains in memory while any part is in use, and the
    // kernel merges small pages into huge ones, so that memory would grow continuously. If disabling fails, the program
    // still works.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_thp_disable(true);
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
            // If stderr is closed, the message cannot be reported.
            let _ = writeln!(std::io::stderr(), "cityguide: {message}");
            ExitCode::FAILURE
        }
    }
}
