//! The one program. It parses the command line, runs the command, and prints a failure in one line.

use std::{io::Write, process::ExitCode};

use cityguide::{Cli, run};
use clap::Parser;

/// A request makes many small allocations on one thread and frees them on another.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // The allocator's memory comes in huge pages where the system has them. Such a page stays in memory while any
    // part of it is in use, and the kernel joins small ones to huge ones again, so that memory grows for as long as a
    // process runs. Where they cannot be switched off the program works as well.
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
            // If stderr is closed, nobody can be told.
            let _ = writeln!(std::io::stderr(), "cityguide: {message}");
            ExitCode::FAILURE
        }
    }
}
