//! Dishes on their tables, seen from above.

use super::{
    canvas::Canvas,
    tables::{leaf, plate, slice, surroundings, table_top},
};

/// A pizza, one slice pulled away.
pub(super) fn pizza(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    c.faint(25, |c| c.circle(614, 422, 364, p.dark));
    c.circle(600, 400, 358, p.dark);
    let first = c.random.between(0, 7) * 45;
    for piece in 0..8 {
        let turn = first + piece * 45;
        c.at((600, 400), turn, |c| {
            c.at((0, if piece == 0 { -52 } else { -6 }), 0, |c| {
                c.shape(p.glow, "M0 0L-117-282A306 306 0 0 1 117-282z");
                c.shape(p.accent, "M0-14L-98-242A262 262 0 0 1 98-242z");
                let melted = [(-48, -200), (40, -180), (4, -128)];
                c.discs(26, p.cream, &melted);
                let (dx, dy) = (c.random.between(-22, 22), c.random.between(-180, -150));
                if piece % 2 == 0 {
                    c.circle(dx, dy, 34, p.mid);
                } else {
                    leaf(c, dx - 34, dy, turn + piece * 30, p.dark);
                }
            });
        });
    }
}

/// A nest of pasta with tomatoes and basil.
pub(super) fn pasta(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (600, 400);
    surroundings(c, x, y);
    plate(c, x, y);
    c.circle(x, y, 204, p.accent);
    let first = c.random.between(0, 40);
    for strand in 0..9 {
        let fill = if strand % 3 == 2 { p.cream } else { p.glow };
        c.at((x, y), first + strand * 40, |c| {
            c.line(fill, 15, "M-176 40q30-150 170-140t160 130");
            c.line(fill, 15, "M-110 60q20-110 120-104t90 96");
        });
    }
    c.discs(30, p.accent, &[(520, 350), (690, 420), (590, 500)]);
    for (turn, fill) in [(-30, p.mid), (40, p.dark), (160, p.mid)] {
        leaf(c, x, y - 10, turn, fill);
    }
}

/// Rolls and slices of fish on a board.
pub(super) fn sushi(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    c.faint(25, |c| c.rounded(154, 204, 800, 440, 26, p.dark));
    c.rounded(140, 180, 800, 440, 26, p.dark);
    c.rounded(156, 196, 768, 408, 16, p.haze);
    let fish = [p.accent, p.glow, p.accent, p.mid];
    let shift = c.random.pick(&[0, 1, 2, 3]);
    for (piece, x) in (0..).zip([200, 380, 560, 740]) {
        c.rounded(x, 244, 150, 104, 40, p.cream);
        c.rounded(x - 10, 232, 170, 84, 34, fish[(piece + shift) % 4]);
        c.faint(60, |c| {
            c.line(
                p.cream,
                8,
                format_args!("M{} 246l-26 56m66-56l-26 56m66-56l-26 56", x + 44),
            );
        });
    }
    for row in [426, 536] {
        let rolls: Vec<_> = (0..6).map(|roll| (230 + roll * 118, row)).collect();
        for (r, fill) in [(54, p.dark), (43, p.cream), (20, p.accent)] {
            c.discs(r, fill, &rolls);
        }
        c.discs(9, p.glow, &rolls);
    }
    c.circle(1070, 200, 92, p.mid);
    c.circle(1070, 200, 72, p.dark);
    c.circle(1050, 560, 34, p.glow);
    c.chopsticks((560, 710), 90);
}

/// Three tacos with salsa and limes.
pub(super) fn tacos(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    c.faint(25, |c| c.rounded(104, 204, 1020, 420, 60, p.dark));
    c.rounded(90, 182, 1020, 420, 60, p.dark);
    c.rounded(112, 204, 976, 376, 44, p.cream);
    for x in [290, 600, 910] {
        let turn = c.random.between(-8, 8);
        c.at((x, 460), turn, |c| {
            c.shape(p.far, "M-134 30a134 150 0 0 1 268 0z");
            for bit in 0..9 {
                let (turn, r) = ((bit - 4) * 20, c.random.between(28, 38));
                let fill = if bit % 2 == 0 { p.mid } else { p.accent };
                c.at((0, 40), turn, |c| c.circle(0, -146, r, fill));
            }
            c.shape(
                p.glow,
                "M-150 56a150 150 0 0 1 300 0q0 12-12 12h-276q-12 0-12-12z",
            );
            c.discs(
                8,
                p.far,
                &[
                    (-60, 20),
                    (10, -30),
                    (70, 24),
                    (-10, 34),
                    (-40, -40),
                    (40, -50),
                ],
            );
        });
    }
    for (x, fill) in [(160, p.accent), (330, p.mid)] {
        c.circle(x, 700, 84, p.dark);
        c.circle(x, 700, 64, fill);
        c.discs(8, p.cream, &[(x - 20, 690), (x + 24, 714), (x + 10, 676)]);
    }
    slice(c, 930, 690, 56);
    slice(c, 1050, 700, 46);
    slice(c, 990, 110, 50);
}

/// A round tray with rice, bread and small bowls.
pub(super) fn thali(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (600, 400);
    c.faint(25, |c| c.circle(x + 14, y + 22, 368, p.dark));
    for (r, fill) in [(362, p.dark), (342, p.cream), (328, p.far)] {
        c.circle(x, y, r, fill);
    }
    let first = c.random.between(-6, 6);
    let sauces = [p.accent, p.glow, p.mid, p.cream, p.accent];
    for (bowl, fill) in (0..).zip(sauces) {
        c.at((x, y), first + bowl * 44 - 88, |c| {
            for (r, fill) in [(82, p.dark), (72, p.cream), (64, fill)] {
                c.circle(0, -234, r, fill);
            }
            c.discs(9, p.dark, &[(-24, -248), (20, -222), (2, -264)]);
        });
    }
    c.circle(x - 120, y + 120, 108, p.cream);
    c.discs(
        7,
        p.glow,
        &[(430, 490), (490, 550), (530, 500), (460, 580), (500, 460)],
    );
    c.askew((x + 110, y + 140), 10, |c| {
        c.shape(p.glow, "M-120 60q-10-150 130-160t140 110q-110-50-270 50z");
        c.shape(p.cream, "M-116 74q0-80 110-110t160 60q-110-50-270 50z");
        c.discs(10, p.accent, &[(-30, -10), (30, -30), (80, -20)]);
    });
}

/// A steak with fries.
pub(super) fn steak(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (600, 400);
    surroundings(c, x, y);
    plate(c, x, y);
    for stick in 0..14 {
        let at = (
            x + 40 + c.random.between(-110, 130),
            y - 120 + c.random.between(-60, 50),
        );
        let turn = stick * 47;
        c.at(at, turn, |c| {
            c.rounded(
                -64,
                -13,
                128,
                26,
                6,
                if stick % 3 == 0 { p.far } else { p.glow },
            );
        });
    }
    c.askew((x - 10, y + 70), 14, |c| {
        c.shape(
            p.cream,
            "M-200 10q-10-120 130-130t190 30 90 130-150 100-260-130z",
        );
        c.shape(p.dark, "M-178 6q0-96 112-106t170 30 70 104-130 78-222-106z");
        c.faint(45, |c| {
            c.line(
                p.accent,
                12,
                "M-120-50l120 130M-50-84l150 160M30-86l110 116",
            );
        });
        c.circle(-20, -10, 38, p.glow);
        leaf(c, -30, -8, -40, p.mid);
    });
    for turn in [10, 60, 110] {
        leaf(c, x - 160, y - 110, turn, p.mid);
    }
}

/// Oysters on ice around a sauce.
pub(super) fn oysters(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (600, 400);
    c.faint(25, |c| c.circle(x + 14, y + 22, 366, p.dark));
    for (r, fill) in [(360, p.dark), (338, p.haze)] {
        c.circle(x, y, r, fill);
    }
    for ice in 0..9 {
        let at = (
            x + c.random.between(-240, 240),
            y + c.random.between(-210, 210),
        );
        c.at(at, ice * 33, |c| c.rounded(-26, -26, 52, 52, 8, p.sky));
    }
    let first = c.random.between(0, 44);
    for shell in 0..8 {
        c.at((x, y), first + shell * 45, |c| {
            c.shapes(&[
                (
                    p.dark,
                    "M-14-326q80-10 92 70t-40 126q-60 30-104-20t-30-110 82-66z",
                ),
                (
                    p.cream,
                    "M-12-308q66-6 74 60t-34 104q-46 22-82-18t-26-92 68-54z",
                ),
                (p.far, "M-6-270q44 0 46 46t-40 62q-40 0-46-44t40-64z"),
            ]);
            c.circle(-2, -236, 14, p.cream);
        });
    }
    for (r, fill) in [(84, p.dark), (68, p.accent)] {
        c.circle(x, y, r, fill);
    }
    for (at_x, at_y) in [(110, 140), (1090, 660), (150, 690)] {
        slice(c, at_x, at_y, 60);
    }
}
