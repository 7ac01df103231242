//! CPU time of processes, from /proc.

use std::{collections::HashMap, fs, iter::successors, os::unix::process::parent_id};

use crate::harness::Cpu;

/// Ticks of /proc per second, a fixed value of the kernel's user interface on all known platforms.
const TICKS: f64 = 100.0;

/// The processes to measure.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Of<'a> {
    /// The site and its servers: all processes started by the parent process, except this process and its children.
    Site,
    /// Only these programs of the site and its servers.
    Programs(&'a [&'a str]),
    /// One process and its descendants.
    Process(u32),
}

struct Process {
    parent: u32,
    program: String,
    /// Ticks of the process and of its ended children.
    ticks: f64,
}

/// Awaits some work; returns its result and the CPU seconds that these processes used meanwhile.
pub(crate) async fn during<T>(
    of: Of<'_>,
    work: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<(T, Cpu)> {
    let before = so_far(of);
    let done = work.await?;
    Ok((done, since(&before, so_far(of))))
}

fn so_far(of: Of<'_>) -> Cpu {
    let all = all();
    let (starter, own) = (parent_id(), std::process::id());
    let mut seconds = Cpu::new();
    for (id, process) in &all {
        let parent = |id: &u32| all.get(id).map(|process| process.parent);
        let line: Vec<u32> = successors(Some(*id), parent).collect();
        let is_counted = match of {
            Of::Process(root) => line.contains(&root),
            Of::Site => line.contains(&starter) && !line.contains(&own) && *id != starter,
            Of::Programs(names) => {
                line.contains(&starter) && names.contains(&process.program.as_str())
            }
        };
        if is_counted {
            *seconds.entry(process.program.clone()).or_default() += process.ticks / TICKS;
        }
    }
    seconds
}

/// Returns the CPU time of each program since an earlier reading.
fn since(before: &Cpu, mut now: Cpu) -> Cpu {
    for (program, seconds) in &mut now {
        *seconds -= before.get(program).copied().unwrap_or_default();
    }
    now.retain(|_, seconds| *seconds > 0.0);
    now
}

fn all() -> HashMap<u32, Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten();
    let processes = entries.filter_map(|entry| {
        let id = entry.ok()?.file_name().to_str()?.parse().ok()?;
        // Skips a process that has just ended.
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        Some((id, read(&stat)?))
    });
    processes.collect()
}

/// Reads `proc_pid_stat(5)`: the name is in parentheses and may contain anything.
fn read(stat: &str) -> Option<Process> {
    let (begin, end) = (stat.find('(')?, stat.rfind(')')?);
    let fields: Vec<&str> = stat.get(end + 1..)?.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter();
    let ticks = ticks.map(|field| field.parse::<f64>().ok());
    Some(Process {
        parent: fields.get(1)?.parse().ok()?,
        program: stat.get(begin + 1..end)?.to_owned(),
        ticks: ticks.sum::<Option<f64>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_with_an_odd_name_is_read() {
        let stat = "7 (a) b (c) S 3 7 7 0 -1 4194560 1 2 3 4 50 25 10 15 20 0 1 0 99 0 0";
        let process = read(stat).expect("a process");
        assert_eq!((process.parent, process.program.as_str()), (3, "a) b (c"));
        assert!((process.ticks - 100.0).abs() < f64::EPSILON);
        assert!(!so_far(Of::Process(std::process::id())).is_empty());
    }
}
