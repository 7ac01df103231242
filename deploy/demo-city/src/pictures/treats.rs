//! Sweet things.

use super::{
    canvas::{Canvas, HEIGHT, WIDTH},
    tables::leaf,
};

/// Tarts on a tray.
pub(super) fn tarts(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.sky);
    let turn = c.random.between(-9, 9);
    c.group(format_args!(r#"transform="rotate({turn} 600 400)""#), |c| {
        c.rounded(60, 50, 1080, 700, 40, p.dark);
        c.rounded(84, 74, 1032, 652, 28, p.mid);
        c.faint(50, |c| c.rounded(110, 96, 980, 608, 10, p.cream));
        let missing = c.random.between(0, 11);
        for index in 0..12 {
            let (x, y) = (240 + index % 4 * 240, 200 + index / 4 * 200);
            if index == missing {
                let crumbs: Vec<_> = (0..9)
                    .map(|_| (x + c.random.between(-70, 70), y + c.random.between(-60, 60)))
                    .collect();
                c.discs(7, p.far, &crumbs);
                continue;
            }
            c.circle(x + 8, y + 12, 94, p.dark);
            c.circle(x, y, 92, p.far);
            c.group(r#"stroke-dasharray="26 21""#, |c| {
                c.line(
                    p.cream,
                    14,
                    format_args!("M{} {y}a84 84 0 1 1 0 .1", x - 84),
                );
            });
            c.circle(x, y, 70, p.glow);
            let (dx, dy) = (c.random.between(-24, 24), c.random.between(-24, 24));
            c.ellipse(x + dx, y + dy, 30, 20, p.far);
            c.ellipse(x + dx + 4, y + dy + 2, 17, 10, p.mid);
            c.circle(x - dx, y - dy / 2, 9, p.far);
        }
    });
}

/// Ice cream in cones.
pub(super) fn ice_cream(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.sky);
    c.circle(600, 430, 420, p.haze);
    for spot in 0..26 {
        let (x, y) = (c.random.between(0, 1200), c.random.between(0, 800));
        let turn = c.random.between(0, 170);
        let fill = c.random.pick(&[p.accent, p.glow, p.mid, p.cream]);
        if spot % 2 == 0 {
            c.group(format_args!(r#"transform="rotate({turn} {x} {y})""#), |c| {
                c.rounded(x, y, 44, 14, 7, fill);
            });
        }
    }
    let flavours = [p.accent, p.cream, p.mid, p.glow, p.far];
    let offset = c.random.between(0, 4);
    for cone in 0..3 {
        let x = 300 + cone * 300;
        let y = 420 + if cone == 1 { -40 } else { 20 };
        let turn = (cone - 1) * 12;
        let flavour =
            |shift: i32| flavours[usize::try_from((cone * 2 + shift + offset) % 5).unwrap_or(0)];
        c.group(format_args!(r#"transform="rotate({turn} {x} 760)""#), |c| {
            c.shape(p.glow, format_args!("M{} {y}h220L{x} 780z", x - 110));
            c.group(format_args!(r#"transform="translate({x} {y})""#), |c| {
                c.line(p.far, 7, "M-98 40L50 190M-66 138L14 306M-34 6L80 96M98 40L-50 190M66 138L-14 306M34 6L-80 96");
            });
            c.circle(x, y - 50, 124, flavour(0));
            c.circle(x - 84, y + 6, 38, flavour(0));
            c.circle(x, y + 20, 44, flavour(0));
            c.circle(x + 84, y + 8, 36, flavour(0));
            c.circle(x, y - 190, 98, flavour(1));
            c.circle(x - 62, y - 134, 32, flavour(1));
            c.circle(x + 20, y - 116, 34, flavour(1));
            c.faint(45, |c| c.ellipse(x - 40, y - 224, 30, 20, p.cream));
            if cone == 1 {
                c.circle(x + 10, y - 300, 34, p.accent);
                c.line(p.dark, 6, format_args!("M{} {}q10-50 50-60", x + 14, y - 326));
            }
        });
    }
}

/// Tubs of gelato behind glass.
pub(super) fn gelato(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.sky);
    for stripe in 0..10 {
        c.faint(50, |c| c.rect(stripe * 120, 0, 60, 400, p.haze));
    }
    let seller = c.random.between(380, 820);
    c.shape(
        p.accent,
        format_args!("M{} 420q0-170 100-170t100 170z", seller - 100),
    );
    c.circle(seller, 180, 54, p.dark);
    c.shape(
        p.cream,
        format_args!("M{} 160q-10-90 60-90t60 90z", seller - 60),
    );
    c.rounded(60, 360, 1080, 420, 20, p.dark);
    c.rect(90, 390, 1020, 260, p.cream);
    let flavours = [p.accent, p.glow, p.mid, p.far, p.dark];
    let first = c.random.pick(&[0, 1, 2, 3, 4]);
    for tub in 0..8 {
        let (x, y) = (110 + tub % 4 * 248, 440 + tub / 4 * 130);
        let fill = flavours[(usize::try_from(tub).unwrap_or(0) + first) % 5];
        c.shape(
            fill,
            format_args!(
                "M{x} {0}q10-40 60-30 10-60 60-30 50-40 60 20 50-10 50 40z",
                y + 30
            ),
        );
        c.faint(45, |c| {
            c.line(
                p.cream,
                8,
                format_args!("M{} {}q40-20 70-4m20 16q30-14 50-4", x + 40, y + 14),
            );
        });
        c.rect(x - 6, y + 30, 242, 60, p.haze);
        c.rect(x - 6, y + 30, 242, 10, p.dark);
        c.rect(x + 84, y + 48, 60, 28, fill);
    }
    c.faint(25, |c| c.shape(p.cream, "M260 390h150L250 650H100z"));
    c.rect(60, 650, 1080, 14, p.glow);
    for panel in 0..6 {
        c.rounded(90 + panel * 172, 686, 150, 74, 8, p.mid);
    }
    for cone in 0..3 {
        let x = 960 + cone * 60;
        c.shape(p.glow, format_args!("M{} 280h44l-22 84z", x - 22));
    }
}

/// A mountain of shaved ice with fruit.
pub(super) fn shaved_ice(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    c.circle(600, 330, 300, p.glow);
    c.rect(0, 640, WIDTH, 160, p.mid);
    c.rect(0, 640, WIDTH, 16, p.dark);
    c.shape(
        p.cream,
        "M300 480q20-110 110-120 20-110 110-124 50-120 120-10 120 0 130 120 110 10 130 134z",
    );
    c.shape(p.accent, "M400 400q30-60 70-60 20-80 90-90 40-90 84-4 80 0 90 90 70 6 84 64-60 50-90-6-30 60-80 10-50 60-90 0-60 50-158-4z");
    for _ in 0..12 {
        let (x, y) = (c.random.between(380, 820), c.random.between(420, 470));
        let fill = c.random.pick(&[p.glow, p.accent, p.far]);
        c.rounded(x, y, 44, 40, 10, fill);
    }
    c.shape(
        p.accent,
        "M270 470h660q-20 120-210 160h-240q-190-40-210-160z",
    );
    c.faint(50, |c| {
        c.shape(p.cream, "M330 500h110q10 60 50 96-120-20-160-96z");
    });
    c.shape(p.accent, "M520 620h160l40 60H480z");
    leaf(c, 640, 218, -50, p.mid);
    leaf(c, 630, 220, -120, p.mid);
    let spoon = c.random.between(890, 960);
    c.line(p.dark, 16, format_args!("M{spoon} 230L{} 480", spoon - 110));
    c.ellipse(spoon + 6, 216, 30, 44, p.dark);
}

/// Doughnuts in an open box.
pub(super) fn doughnuts(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.sky);
    c.askew((600, 400), 8, |c| {
        c.faint(25, |c| c.rounded(-466, -316, 960, 660, 20, p.dark));
        c.rounded(-480, -340, 960, 660, 20, p.accent);
        c.rounded(-452, -312, 904, 604, 10, p.cream);
        let icings = [p.accent, p.mid, p.glow, p.dark];
        let first = c.random.pick(&[0, 1, 2, 3]);
        for place in 0..6 {
            let index = usize::try_from(place).unwrap_or(0);
            c.at((-300 + place % 3 * 300, -156 + place / 3 * 292), place * 67, |c| {
                c.circle(8, 12, 134, p.haze);
                c.circle(0, 0, 132, p.far);
                c.shape(icings[(index + first) % 4], "M-118-10q0-106 116-108t120 104q4 50-30 60 10 60-50 50-30 40-70 10-60 20-66-40-30-20-20-76z");
                c.line(p.cream, 10, "M0-92v18M54-74l-10 16M88-26l-18 6M84 32l-18-6M54 76l-10-16M0 92v-18M-54 76l10-16M-84 32l18-6M-88-26l18 6M-54-74l10 16");
            c.circle(0, 0, 44, p.far);
                c.circle(0, 0, 34, p.cream);
            });
        }
    });
}

/// Cakes on their stands.
pub(super) fn cakes(c: &mut Canvas) {
    let p = c.colours;
    c.still_life(650);
    for (x, top) in [(250, 520), (600, 560), (950, 500)] {
        c.shape(
            p.dark,
            format_args!(
                "M{} {top}h300q0 30-110 36v{}h50v24H{}v-24h50v-{}q-110-6-110-36z",
                x - 150,
                640 - top,
                x - 80,
                640 - top
            ),
        );
    }
    // A tower of choux, a layer cake with cherries, macarons.
    for row in 0..4 {
        for puff in 0..4 - row {
            let x = 142 + puff * 72 + row * 36;
            c.circle(x, 490 - row * 60, 40, p.glow);
            c.circle(
                x,
                474 - row * 60,
                26,
                if (puff + row) % 2 == 0 {
                    p.far
                } else {
                    p.accent
                },
            );
        }
    }
    for layer in 0..4 {
        let fill = if layer % 2 == 0 { p.accent } else { p.cream };
        c.rounded(480, 500 - layer * 60, 240, 62, 8, fill);
    }
    c.shape(p.mid, "M470 330q0-50 50-50h160q50 0 50 50v30q-20 50-40 0-20 70-44 0-20 40-42 0-20 80-46 0-20 50-44 0-20 60-44 0-20 30-40 0z");
    for cherry in 0..4 {
        c.circle(510 + cherry * 60, 264, 24, p.accent);
    }
    let first = c.random.pick(&[0, 1, 2]);
    for shell in 0..9 {
        let (x, y) = (860 + shell % 3 * 90, 478 - shell / 3 * 70);
        let fill = [p.accent, p.glow, p.cream][(usize::try_from(shell).unwrap_or(0) + first) % 3];
        c.rounded(x - 40, y - 44, 80, 28, 14, fill);
        c.rect(x - 36, y - 16, 72, 10, p.cream);
        c.rounded(x - 40, y - 8, 80, 26, 13, fill);
    }
    c.line(p.dark, 5, "M0 90Q300 150 600 90T1200 90");
    for flag in 0..10 {
        let x = 40 + flag * 120;
        let fill = if flag % 2 == 0 { p.accent } else { p.mid };
        c.shape(fill, format_args!("M{x} 100h70l-35 70z"));
    }
}
