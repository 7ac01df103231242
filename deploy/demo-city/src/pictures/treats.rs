//! Close-up scenes: a bowl, a cone, a tray.

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

/// A deep bowl with noodles and steam.
pub(super) fn bowl(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    // Cloth strips over the kitchen's opening.
    for strip in 0..5 {
        let x = 30 + strip * 230;
        let drop = c.random.between(150, 200);
        c.shape(p.accent, format_args!("M{x} 0h222v{drop}q-111 16-222 0z"));
        c.circle(x + 111, drop / 2 + 6, 40, p.cream);
        c.circle(
            x + 111,
            drop / 2 + 6,
            22,
            if strip % 2 == 0 { p.accent } else { p.mid },
        );
    }
    c.rect(0, 620, WIDTH, 180, p.mid);
    c.rect(0, 620, WIDTH, 16, p.dark);
    let x = c.random.between(500, 700);
    for wisp in 0..3 {
        let left = x - 130 + wisp * 120;
        c.faint(55, |c| {
            c.line(p.cream, 18, format_args!("M{left} 370q-46-50 0-100t0-80"));
        });
    }
    c.ellipse(x, 690, 260, 30, p.dark);
    c.shape(
        p.accent,
        format_args!("M{} 410h620q-10 190-190 270h-240q-180-80-190-270z", x - 310),
    );
    c.shape(p.cream, format_args!("M{} 470h588l-14 40h-560z", x - 294));
    c.ellipse(x, 412, 310, 78, p.cream);
    c.ellipse(x, 416, 280, 62, p.glow);
    for strand in 0..9 {
        let left = x - 220 + strand * 40;
        c.line(p.cream, 9, format_args!("M{left} 424q30-40 60 0t60-4"));
    }
    c.ellipse(x - 130, 402, 60, 34, p.cream);
    c.ellipse(x - 130, 402, 30, 18, p.accent);
    c.ellipse(x + 20, 392, 74, 26, p.far);
    c.shape(p.dark, format_args!("M{} 420l40-96 76 10-30 90z", x + 130));
    for dot in 0..8 {
        let (dx, dy) = (c.random.between(-200, 200), c.random.between(-24, 40));
        c.circle(
            x + dx,
            416 + dy,
            9,
            if dot % 2 == 0 { p.mid } else { p.accent },
        );
    }
    c.line(
        p.dark,
        15,
        format_args!(
            "M{} 196L{} 420M{} 214L{} 430",
            x + 400,
            x + 60,
            x + 440,
            x + 110
        ),
    );
    let cup = if x > 600 { 130 } else { 1040 };
    c.shape(p.far, format_args!("M{} 540h120l-16 110h-88z", cup - 60));
    c.ellipse(cup, 540, 60, 14, p.cream);
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
    c.shape(p.far, "M270 470h660q-20 120-210 160h-240q-190-40-210-160z");
    c.faint(50, |c| {
        c.shape(p.cream, "M330 500h110q10 60 50 96-120-20-160-96z");
    });
    c.shape(p.far, "M520 620h160l40 60H480z");
    leaf(c, 640, 218, -50, p.mid);
    leaf(c, 630, 220, -120, p.mid);
    let spoon = c.random.between(890, 960);
    c.line(p.dark, 16, format_args!("M{spoon} 230L{} 480", spoon - 110));
    c.ellipse(spoon + 6, 216, 30, 44, p.dark);
}
