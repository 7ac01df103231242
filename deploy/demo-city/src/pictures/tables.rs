//! Scenes of set tables, seen from above.

use super::{
    canvas::{Canvas, HEIGHT, WIDTH},
    palette::Palette,
};

/// A table top: planks, stripes or a checked cloth.
fn table_top(c: &mut Canvas) {
    let Palette {
        sky,
        haze,
        far,
        mid,
        dark,
        accent,
        cream,
        ..
    } = c.colours;
    match c.random.between(0, 3) {
        0 => {
            c.rect(0, 0, WIDTH, HEIGHT, mid);
            for plank in 0..6 {
                let colour = c.random.pick(&[far, mid]);
                c.faint(40, |c| c.rect(0, plank * 138, WIDTH, 132, colour));
                c.rect(0, plank * 138, WIDTH, 4, dark);
            }
        }
        1 => {
            c.rect(0, 0, WIDTH, HEIGHT, cream);
            for stripe in 0..10 {
                c.faint(50, |c| c.rect(stripe * 120, 0, 60, HEIGHT, accent));
                c.faint(50, |c| c.rect(0, stripe * 120, WIDTH, 60, accent));
            }
        }
        2 => {
            c.rect(0, 0, WIDTH, HEIGHT, far);
            c.shape(sky, "M0 0h700L240 800H0z");
        }
        _ => {
            c.rect(0, 0, WIDTH, HEIGHT, haze);
            c.rect(150, 0, 900, HEIGHT, far);
            c.rect(180, 0, 14, HEIGHT, cream);
            c.rect(1006, 0, 14, HEIGHT, cream);
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
fn slice(c: &mut Canvas, x: i32, y: i32, size: i32) {
    let Palette { glow, cream, .. } = c.colours;
    c.circle(x, y, size, glow);
    c.circle(x, y, size * 8 / 10, cream);
    c.circle(x, y, size * 7 / 10, glow);
    let arm = size * 7 / 10;
    let half = arm / 2;
    c.line(
        cream,
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
fn surroundings(c: &mut Canvas, x: i32, y: i32) {
    let Palette {
        haze,
        far,
        mid,
        dark,
        accent,
        glow,
        cream,
        ..
    } = c.colours;
    c.rounded(x - 470, y - 170, 110, 340, 6, cream);
    c.rect(x - 470, y - 150, 110, 10, accent);
    c.line(
        dark,
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
        dark,
        14,
        format_args!("M{} {}V{}", x + 378, y + 150, y - 20),
    );
    c.shape(dark, format_args!("M{} {}q-8-150 22-160v160z", x + 364, y));
    // A glass and a small dish in two corners.
    let drink = c.random.pick(&[accent, glow, mid]);
    c.circle(x + 480, y - 210, 96, cream);
    c.circle(x + 480, y - 210, 82, drink);
    c.faint(45, |c| c.ellipse(x + 452, y - 238, 26, 18, cream));
    c.circle(x - 480, y + 290, 120, far);
    c.circle(x - 480, y + 290, 98, haze);
    for _ in 0..5 {
        let (dx, dy) = (c.random.between(-52, 52), c.random.between(-52, 52));
        let fill = c.random.pick(&[accent, mid, glow]);
        c.circle(x - 480 + dx, y + 290 + dy, 24, fill);
    }
}

fn plate(c: &mut Canvas, x: i32, y: i32) {
    let Palette {
        haze,
        dark,
        accent,
        cream,
        ..
    } = c.colours;
    let rim = c.random.pick(&[haze, accent, haze]);
    c.faint(25, |c| c.circle(x + 14, y + 22, 312, dark));
    c.circle(x, y, 306, cream);
    c.circle(x, y, 276, rim);
    c.circle(x, y, 266, cream);
    c.faint(50, |c| c.circle(x, y, 222, haze));
}

/// A whole fish with lemon and herbs.
pub(super) fn fish(c: &mut Canvas) {
    let Palette {
        mid,
        dark,
        far,
        glow,
        accent,
        ..
    } = c.colours;
    table_top(c);
    let (x, y) = (600, 400);
    surroundings(c, x, y);
    plate(c, x, y);
    let turn = c.random.between(-34, 34);
    c.group(
        format_args!(r#"transform="translate({x} {y})rotate({turn})""#),
        |c| {
            c.shape(
                mid,
                "M-230 0Q-120-120 60-84T176-6L250-74q16 74 0 148L176 6Q140 70 60 84T-230 0z",
            );
            c.shape(far, "M-230 0q120 44 290 40t116-40q-30 70-116 84T-230 0z");
            c.circle(-168, -16, 13, glow);
            c.circle(-168, -16, 6, dark);
            c.line(dark, 5, "M-120-56q36 56 0 104");
            for stripe in 0..4 {
                c.line(dark, 7, format_args!("M{} -66l-44 120", -30 + stripe * 50));
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
            if spot % 2 == 0 { mid } else { accent },
        );
    }
}

/// Dumplings in a ring around a sauce.
pub(super) fn dumplings(c: &mut Canvas) {
    let Palette {
        far,
        mid,
        dark,
        accent,
        glow,
        cream,
        haze,
        ..
    } = c.colours;
    table_top(c);
    let (x, y) = (600, 400);
    surroundings(c, x, y);
    // A bamboo steamer.
    c.faint(25, |c| c.circle(x + 14, y + 22, 322, dark));
    c.circle(x, y, 316, mid);
    c.circle(x, y, 292, glow);
    c.circle(x, y, 268, far);
    for slat in 0..9 {
        let dx = (slat - 4) * 58;
        let reach =
            [150, 205, 238, 254, 260, 254, 238, 205, 150][usize::try_from(slat).unwrap_or(0)];
        c.line(
            glow,
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
                c.ellipse(0, -172, 76, 62, haze);
                c.ellipse(0, -176, 72, 58, cream);
                c.line(
                    far,
                    5,
                    "M0-176l-40-34M0-176l0-50M0-176l40-34M0-176l52 16M0-176l-52 16",
                );
                c.circle(0, -176, 9, far);
            },
        );
    }
    c.circle(x, y, 76, dark);
    c.circle(x, y, 62, accent);
    c.faint(60, |c| c.ellipse(x - 18, y - 20, 18, 11, glow));
}

/// A platter of many small heaps, to share.
pub(super) fn platter(c: &mut Canvas) {
    let Palette {
        far,
        mid,
        dark,
        accent,
        glow,
        cream,
        ..
    } = c.colours;
    table_top(c);
    let (x, y) = (600, 400);
    c.faint(25, |c| c.circle(x + 14, y + 22, 356, dark));
    c.circle(x, y, 350, dark);
    c.circle(x, y, 326, cream);
    let pores: Vec<_> = (0..26)
        .map(|_| {
            (
                x + c.random.between(-200, 200),
                y + c.random.between(-200, 200),
            )
        })
        .collect();
    c.faint(30, |c| c.discs(7, far, &pores));
    let heaps = [accent, mid, glow, far, accent, mid];
    let offset = c.random.between(0, 59);
    for (index, fill) in (0..).zip(heaps) {
        let turn = offset + index * 60;
        c.group(
            format_args!(r#"transform="translate({x} {y})rotate({turn})translate(0 -196)""#),
            |c| {
                c.shape(fill, "M-78 8q-14-70 60-76t92 50-30 82-122-56z");
                for _ in 0..5 {
                    let (dx, dy) = (c.random.between(-44, 44), c.random.between(-36, 36));
                    let bit = c.random.pick(&[dark, cream, glow]);
                    c.circle(dx, dy, 9, bit);
                }
            },
        );
    }
    c.circle(x, y, 92, accent);
    c.circle(x - 20, y - 10, 36, cream);
    c.circle(x + 34, y + 20, 30, mid);
    for corner in [(110, 130), (1090, 670)] {
        c.circle(corner.0, corner.1, 92, far);
        c.circle(corner.0, corner.1, 74, dark);
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
                c.rounded(-110, -28, 220, 56, 28, cream);
                c.line(far, 4, "M-70-10h120");
            },
        );
    }
}

/// Something from the grill, with sides.
pub(super) fn grill(c: &mut Canvas) {
    let Palette {
        far,
        mid,
        dark,
        accent,
        glow,
        ..
    } = c.colours;
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
                c.line(dark, 7, format_args!("M-236 {top}H240"));
                for piece in 0..4 {
                    let left = -178 + piece * 92;
                    let fill = [accent, mid, glow, accent]
                        [usize::try_from((piece + row) % 4).unwrap_or(0)];
                    c.rounded(left, top - 34, 78, 68, 22, fill);
                    c.faint(55, |c| {
                        c.line(
                            dark,
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
            if spot % 2 == 0 { mid } else { far },
        );
    }
}

/// Breakfast: eggs, a stack and a cup.
pub(super) fn brunch(c: &mut Canvas) {
    let Palette {
        far,
        mid,
        dark,
        accent,
        glow,
        cream,
        haze,
        ..
    } = c.colours;
    table_top(c);
    let (x, y) = (560, 410);
    plate(c, x, y);
    for layer in 0..3 {
        c.circle(x - 90 + layer * 8, y - 40 - layer * 10, 138, far);
        c.circle(x - 90 + layer * 8, y - 46 - layer * 10, 130, glow);
    }
    c.shape(
        accent,
        format_args!(
            "M{} {}q50-70 110-20t40 70q50 90-20 60t-70-10-60-100z",
            x - 150,
            y - 60
        ),
    );
    c.rounded(x - 104, y - 98, 58, 44, 8, cream);
    c.shape(
        cream,
        format_args!(
            "M{} {}q60-70 130-30t60 90-70 80-130-30 10-110 10-110z",
            x + 40,
            y + 30
        ),
    );
    c.circle(x + 130, y + 84, 44, glow);
    for berry in 0..6 {
        let (dx, dy) = (c.random.between(-180, -20), c.random.between(130, 200));
        c.circle(x + dx, y + dy, 18, if berry % 2 == 0 { mid } else { dark });
    }
    c.circle(1000, 230, 150, cream);
    c.circle(1000, 230, 104, haze);
    c.circle(1000, 230, 92, dark);
    c.circle(1000, 230, 84, mid);
    c.line(cream, 22, "M1086 290q70 40 30 84");
    c.line(glow, 9, "M958 232q20-40 44 0t44 0");
    c.line(
        dark,
        14,
        "M150 640V250M110 250v-110M150 250v-110M190 250v-110M110 250h80",
    );
    c.rounded(940, 520, 170, 200, 26, accent);
    c.rounded(960, 540, 130, 160, 16, cream);
    c.circle(1025, 620, 38, glow);
}
