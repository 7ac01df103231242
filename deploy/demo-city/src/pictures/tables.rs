//! Scenes of set tables, seen from above.

use super::canvas::{Canvas, HEIGHT, WIDTH};

/// A table top: planks, stripes or a checked cloth.
pub(super) fn table_top(c: &mut Canvas) {
    let p = c.colours;
    match c.random.between(0, 3) {
        0 => {
            c.rect(0, 0, WIDTH, HEIGHT, p.mid);
            for plank in 0..6 {
                let colour = c.random.pick(&[p.far, p.mid]);
                c.faint(40, |c| c.rect(0, plank * 138, WIDTH, 132, colour));
                c.rect(0, plank * 138, WIDTH, 4, p.dark);
            }
        }
        1 => {
            c.rect(0, 0, WIDTH, HEIGHT, p.cream);
            for stripe in 0..10 {
                c.faint(50, |c| c.rect(stripe * 120, 0, 60, HEIGHT, p.accent));
                c.faint(50, |c| c.rect(0, stripe * 120, WIDTH, 60, p.accent));
            }
        }
        2 => {
            c.rect(0, 0, WIDTH, HEIGHT, p.far);
            c.shape(p.sky, "M0 0h700L240 800H0z");
        }
        _ => {
            c.rect(0, 0, WIDTH, HEIGHT, p.haze);
            c.rect(150, 0, 900, HEIGHT, p.far);
            c.rect(180, 0, 14, HEIGHT, p.cream);
            c.rect(1006, 0, 14, HEIGHT, p.cream);
        }
    }
}

/// A leaf, pointing to the right, turned by `turn` degrees.
pub(super) fn leaf(c: &mut Canvas, x: i32, y: i32, turn: i32, fill: &str) {
    c.group(
        format_args!(r#"transform="translate({x} {y})rotate({turn})""#),
        |c| {
            c.shape(fill, "M0 0q30-34 74 0-44 34-74 0z");
        },
    );
}

/// A slice of a lemon or a lime.
pub(super) fn slice(c: &mut Canvas, x: i32, y: i32, size: i32) {
    let p = c.colours;
    c.circle(x, y, size, p.glow);
    c.circle(x, y, size * 8 / 10, p.cream);
    c.circle(x, y, size * 7 / 10, p.glow);
    let arm = size * 7 / 10;
    let half = arm / 2;
    c.line(
        p.cream,
        4,
        format_args!(
            "M{} {y}h{}M{} {}l{arm} {}M{} {}l{arm}-{}",
            x - arm,
            arm * 2,
            x - half,
            y - arm,
            arm * 2,
            x - half,
            y + arm,
            arm * 2
        ),
    );
}

/// The things around a plate.
pub(super) fn surroundings(c: &mut Canvas, x: i32, y: i32) {
    let p = c.colours;
    c.rounded(x - 470, y - 170, 110, 340, 6, p.cream);
    c.rect(x - 470, y - 150, 110, 10, p.accent);
    c.line(
        p.dark,
        12,
        format_args!(
            "M{} {}v200M{} {}v-96M{} {}v-96M{} {}v-96",
            x - 415,
            y - 60,
            x - 415,
            y - 40,
            x - 434,
            y - 60,
            x - 396,
            y - 60
        ),
    );
    c.line(
        p.dark,
        14,
        format_args!("M{} {}V{}", x + 378, y + 150, y - 20),
    );
    c.shape(
        p.dark,
        format_args!("M{} {}q-8-150 22-160v160z", x + 364, y),
    );
    // A glass and a small dish in two corners.
    let drink = c.random.pick(&[p.accent, p.glow, p.mid]);
    c.circle(x + 480, y - 210, 96, p.cream);
    c.circle(x + 480, y - 210, 82, drink);
    c.faint(45, |c| c.ellipse(x + 452, y - 238, 26, 18, p.cream));
    c.circle(x - 480, y + 290, 120, p.far);
    c.circle(x - 480, y + 290, 98, p.haze);
    for _ in 0..5 {
        let (dx, dy) = (c.random.between(-52, 52), c.random.between(-52, 52));
        let fill = c.random.pick(&[p.accent, p.mid, p.glow]);
        c.circle(x - 480 + dx, y + 290 + dy, 24, fill);
    }
}

pub(super) fn plate(c: &mut Canvas, x: i32, y: i32) {
    let p = c.colours;
    let rim = c.random.pick(&[p.haze, p.accent, p.haze]);
    c.faint(25, |c| c.circle(x + 14, y + 22, 312, p.dark));
    c.circle(x, y, 306, p.cream);
    c.circle(x, y, 276, rim);
    c.circle(x, y, 266, p.cream);
    c.faint(50, |c| c.circle(x, y, 222, p.haze));
}

/// A whole fish with lemon and herbs.
pub(super) fn fish(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (600, 400);
    surroundings(c, x, y);
    plate(c, x, y);
    let turn = c.random.between(-34, 34);
    c.group(
        format_args!(r#"transform="translate({x} {y})rotate({turn})""#),
        |c| {
            c.shape(
                p.mid,
                "M-230 0Q-120-120 60-84T176-6L250-74q16 74 0 148L176 6Q140 70 60 84T-230 0z",
            );
            c.shape(p.far, "M-230 0q120 44 290 40t116-40q-30 70-116 84T-230 0z");
            c.circle(-168, -16, 13, p.glow);
            c.circle(-168, -16, 6, p.dark);
            c.line(p.dark, 5, "M-120-56q36 56 0 104");
            for stripe in 0..4 {
                c.line(
                    p.dark,
                    7,
                    format_args!("M{} -66l-44 120", -30 + stripe * 50),
                );
            }
        },
    );
    slice(c, x - 60, y + 168, 54);
    slice(c, x + 52, y + 178, 46);
    for spot in 0..5 {
        let turn = c.random.between(0, 359);
        leaf(
            c,
            x - 140 + spot * 60,
            y - 170 + (spot % 2) * 24,
            turn,
            if spot % 2 == 0 { p.mid } else { p.accent },
        );
    }
}

/// Dumplings in a ring around a sauce.
pub(super) fn dumplings(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (600, 400);
    surroundings(c, x, y);
    // A bamboo steamer.
    c.faint(25, |c| c.circle(x + 14, y + 22, 322, p.dark));
    c.circle(x, y, 316, p.mid);
    c.circle(x, y, 292, p.glow);
    c.circle(x, y, 268, p.far);
    for slat in 0..9 {
        let dx = (slat - 4) * 58;
        let reach =
            [150, 205, 238, 254, 260, 254, 238, 205, 150][usize::try_from(slat).unwrap_or(0)];
        c.line(
            p.glow,
            5,
            format_args!("M{} {}v{}", x + dx, y - reach, reach * 2),
        );
    }
    let offset = c.random.between(0, 50);
    for piece in 0..7 {
        let turn = offset + piece * 360 / 7;
        c.group(
            format_args!(r#"transform="translate({x} {y})rotate({turn})""#),
            |c| {
                c.ellipse(0, -172, 76, 62, p.haze);
                c.ellipse(0, -176, 72, 58, p.cream);
                c.line(
                    p.far,
                    5,
                    "M0-176l-40-34M0-176l0-50M0-176l40-34M0-176l52 16M0-176l-52 16",
                );
                c.circle(0, -176, 9, p.far);
            },
        );
    }
    c.circle(x, y, 76, p.dark);
    c.circle(x, y, 62, p.accent);
    c.faint(60, |c| c.ellipse(x - 18, y - 20, 18, 11, p.glow));
}

/// A platter of many small heaps, to share.
pub(super) fn platter(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (600, 400);
    c.faint(25, |c| c.circle(x + 14, y + 22, 356, p.dark));
    c.circle(x, y, 350, p.dark);
    c.circle(x, y, 326, p.cream);
    let pores: Vec<_> = (0..26)
        .map(|_| {
            (
                x + c.random.between(-200, 200),
                y + c.random.between(-200, 200),
            )
        })
        .collect();
    c.faint(30, |c| c.discs(7, p.far, &pores));
    let heaps = [p.accent, p.mid, p.glow, p.far, p.accent, p.mid];
    let offset = c.random.between(0, 59);
    for (index, fill) in (0..).zip(heaps) {
        let turn = offset + index * 60;
        c.group(
            format_args!(r#"transform="translate({x} {y})rotate({turn})translate(0 -196)""#),
            |c| {
                c.shape(fill, "M-78 8q-14-70 60-76t92 50-30 82-122-56z");
                for _ in 0..5 {
                    let (dx, dy) = (c.random.between(-44, 44), c.random.between(-36, 36));
                    let bit = c.random.pick(&[p.dark, p.cream, p.glow]);
                    c.circle(dx, dy, 9, bit);
                }
            },
        );
    }
    c.circle(x, y, 92, p.accent);
    c.circle(x - 20, y - 10, 36, p.cream);
    c.circle(x + 34, y + 20, 30, p.mid);
    for corner in [(110, 130), (1090, 670)] {
        c.circle(corner.0, corner.1, 92, p.far);
        c.circle(corner.0, corner.1, 74, p.dark);
    }
    for roll in 0..3 {
        c.group(
            format_args!(
                r#"transform="translate({} {})rotate({})""#,
                1050,
                110 + roll * 74,
                -14 + roll * 6
            ),
            |c| {
                c.rounded(-110, -28, 220, 56, 28, p.cream);
                c.line(p.far, 4, "M-70-10h120");
            },
        );
    }
}

/// Something from the grill, with sides.
pub(super) fn grill(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (600, 400);
    surroundings(c, x, y);
    plate(c, x, y);
    let turn = c.random.between(-24, 24);
    c.group(
        format_args!(r#"transform="translate({x} {y})rotate({turn})""#),
        |c| {
            for row in 0..3 {
                let top = -120 + row * 92;
                c.line(p.dark, 7, format_args!("M-236 {top}H240"));
                for piece in 0..4 {
                    let left = -178 + piece * 92;
                    let fill = [p.accent, p.mid, p.glow, p.accent]
                        [usize::try_from((piece + row) % 4).unwrap_or(0)];
                    c.rounded(left, top - 34, 78, 68, 22, fill);
                    c.faint(55, |c| {
                        c.line(
                            p.dark,
                            6,
                            format_args!("M{} {}l30 40m6-46l30 40", left + 12, top - 18),
                        );
                    });
                }
            }
        },
    );
    slice(c, x + 196, y + 130, 42);
    for spot in 0..4 {
        leaf(
            c,
            x - 190 + spot * 44,
            y + 190,
            spot * 40 - 50,
            if spot % 2 == 0 { p.mid } else { p.far },
        );
    }
}

/// Breakfast: eggs, a stack and a cup.
pub(super) fn brunch(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (560, 410);
    plate(c, x, y);
    for layer in 0..3 {
        c.circle(x - 90 + layer * 8, y - 40 - layer * 10, 138, p.far);
        c.circle(x - 90 + layer * 8, y - 46 - layer * 10, 130, p.glow);
    }
    c.shape(
        p.accent,
        format_args!(
            "M{} {}q50-70 110-20t40 70q50 90-20 60t-70-10-60-100z",
            x - 150,
            y - 60
        ),
    );
    c.rounded(x - 104, y - 98, 58, 44, 8, p.cream);
    c.shape(
        p.cream,
        format_args!(
            "M{} {}q60-70 130-30t60 90-70 80-130-30 10-110 10-110z",
            x + 40,
            y + 30
        ),
    );
    c.circle(x + 130, y + 84, 44, p.glow);
    for berry in 0..6 {
        let (dx, dy) = (c.random.between(-180, -20), c.random.between(130, 200));
        c.circle(
            x + dx,
            y + dy,
            18,
            if berry % 2 == 0 { p.mid } else { p.dark },
        );
    }
    c.circle(1000, 230, 150, p.cream);
    c.circle(1000, 230, 104, p.haze);
    c.circle(1000, 230, 92, p.dark);
    c.circle(1000, 230, 84, p.mid);
    c.line(p.cream, 22, "M1086 290q70 40 30 84");
    c.line(p.glow, 9, "M958 232q20-40 44 0t44 0");
    c.line(
        p.dark,
        14,
        "M150 640V250M110 250v-110M150 250v-110M190 250v-110M110 250h80",
    );
    c.rounded(940, 520, 170, 200, 26, p.accent);
    c.rounded(960, 540, 130, 160, 16, p.cream);
    c.circle(1025, 620, 38, p.glow);
}
