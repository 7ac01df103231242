//! CPU time of processes, from /proc.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    os::unix::process::parent_id,
};

/// Ticks of /proc in a second: the kernel's user interface has this fixed on every platform we know.
const TICKS: f64 = 100.0;

/// Seconds of CPU so far, by program.
pub(crate) type Seconds = BTreeMap<String, f64>;

#[derive(Debug)]
struct Process {
    parent: u32,
    program: String,
    /// Its own ticks and those of its ended children.
    ticks: f64,
}

/// The CPU time of the site and its servers: every process that our parent has started, except us and our
/// children.
pub(crate) fn of_site() -> Seconds {
    let starter = parent_id();
    let ours = std::process::id();
    let all = all();
    let children = all
        .iter()
        .filter(|(id, process)| process.parent == starter && **id != ours)
        .map(|(id, _)| *id);
    sum(&all, children.collect())
}

/// The CPU time of one process and its descendants.
pub(crate) fn of_process(id: u32) -> Seconds {
    sum(&all(), vec![id])
}

/// The CPU time used since an earlier reading, by these programs, or by all if none is named.
pub(crate) fn since(before: &Seconds, now: &Seconds, programs: &[&str]) -> Seconds {
    now.iter()
        .filter(|(program, _)| programs.is_empty() || programs.contains(&program.as_str()))
        .map(|(program, seconds)| {
            let earlier = before.get(program).copied().unwrap_or_default();
            (program.clone(), (seconds - earlier).max(0.0))
        })
        .filter(|(_, seconds)| *seconds > 0.0)
        .collect()
}

fn sum(all: &HashMap<u32, Process>, mut open: Vec<u32>) -> Seconds {
    let mut seconds = Seconds::new();
    let mut seen = HashSet::new();
    while let Some(id) = open.pop() {
        let Some(process) = all.get(&id).filter(|_| seen.insert(id)) else {
            continue;
        };
        *seconds.entry(process.program.clone()).or_default() += process.ticks / TICKS;
        let below = all.iter().filter(|(_, child)| child.parent == id);
        open.extend(below.map(|(id, _)| *id));
    }
    seconds
}

fn all() -> HashMap<u32, Process> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return HashMap::new();
    };
    entries
        .filter_map(|entry| {
            let name = entry.ok()?.file_name();
            let id = name.to_str()?.parse().ok()?;
            // A process that has just ended is skipped.
            let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
            Some((id, read(&stat)?))
        })
        .collect()
}

/// Reads `proc_pid_stat(5)`: the name stands in parentheses and may hold anything.
fn read(stat: &str) -> Option<Process> {
    let (begin, end) = (stat.find('(')?, stat.rfind(')')?);
    let program = stat.get(begin + 1..end)?.to_owned();
    let fields: Vec<&str> = stat.get(end + 1..)?.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some(Process {
        parent: fields.get(1)?.parse().ok()?,
        program,
        ticks: number(11)? + number(12)? + number(13)? + number(14)?,
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
    }

    #[test]
    fn this_process_uses_time() {
        let me = std::process::id();
        assert!(of_process(me).values().all(|seconds| *seconds >= 0.0));
        assert!(!of_process(me).is_empty());
    }

    #[test]
    fn a_difference_names_programs_that_worked() {
        let before = Seconds::from([("a".to_owned(), 1.0), ("b".to_owned(), 1.0)]);
        let now = Seconds::from([
            ("a".to_owned(), 3.0),
            ("b".to_owned(), 1.0),
            ("c".to_owned(), 1.0),
        ]);
        let all = since(&before, &now, &[]);
        assert_eq!(all.keys().collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(since(&before, &now, &["c"]).len(), 1);
    }
}
