//! Games and races.

use super::canvas::{Canvas, HEIGHT, WIDTH};

/// An outdoor rink and its skaters.
pub(super) fn rink(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let mut x = -20;
    while x < WIDTH {
        let width = c.random.between(110, 190);
        let top = c.random.between(130, 270);
        c.rect(x, top, width - 6, 330 - top, p.far);
        c.rect(x + width / 3, top + 40, 20, 26, p.glow);
        x += width;
    }
    for tree in 0..4 {
        let x = 110 + tree * 330 + c.random.between(-60, 60);
        c.tree(x, 340, 60, p.mid, p.dark);
    }
    c.rounded(-40, 310, 1280, 66, 20, p.cream);
    c.rect(0, 330, WIDTH, 12, p.accent);
    c.rect(0, 372, WIDTH, HEIGHT - 372, p.cream);
    c.ellipse(600, 590, 300, 120, p.haze);
    c.ellipse(600, 590, 284, 108, p.cream);
    c.shape(p.accent, "M594 376h12v424h-12z");
    c.circle(600, 590, 14, p.accent);
    for scratch in 0..7 {
        let (x, y) = (c.random.between(40, 1000), c.random.between(420, 760));
        let bend = c.random.between(-40, 40);
        c.line(
            p.haze,
            4,
            format_args!("M{x} {y}q{} {bend} 150 {}", 70, scratch * 3),
        );
    }
    let coats = c.colours.mixed();
    for skater in 0..c.random.between(4, 6) {
        let x = 120 + skater * 180 + c.random.between(-30, 30);
        let y = 470 + c.random.between(0, 200);
        let coat = coats[usize::try_from(skater % 4).unwrap_or(0)];
        c.faint(30, |c| c.ellipse(x, y + 112, 60, 10, p.mid));
        c.line(
            p.dark,
            15,
            format_args!("M{x} {}l-26 60M{x} {}l34 50l30-6", y + 46, y + 46),
        );
        c.line(
            coat,
            40,
            format_args!("M{} {}L{x} {}", x + 16, y - 14, y + 40),
        );
        c.circle(x + 24, y - 56, 22, p.dark);
        c.line(p.accent, 9, format_args!("M{} {}h34", x + 8, y - 68));
        c.line(p.dark, 7, format_args!("M{} {y}l70 96h34", x + 20));
    }
    let puck = c.random.between(200, 1000);
    c.ellipse(puck, 740, 18, 8, p.dark);
}

/// Curling: a sheet of ice, its house, stones, and a player who sweeps.
pub(super) fn curling(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.mid);
    for banner in 0..5 {
        let fill = [p.accent, p.glow, p.cream][usize::try_from(banner % 3).unwrap_or(0)];
        c.shape(
            fill,
            format_args!("M{} 0h100v110l-50-36-50 36z", 130 + banner * 210),
        );
    }
    c.rect(0, 190, WIDTH, 30, p.dark);
    c.shape(p.cream, "M140 220h920l140 580H0z");
    c.line(p.haze, 8, "M600 220v580M40 640h1120");
    for (r, fill) in [(330, p.accent), (232, p.cream), (136, p.far), (50, p.cream)] {
        c.ellipse(640, 520, r, r * 11 / 20, fill);
    }
    for (stone, (x, y)) in [(520, 470), (760, 560), (600, 600), (940, 430)]
        .into_iter()
        .enumerate()
    {
        let x = x + c.random.between(-16, 16);
        c.faint(30, |c| c.ellipse(x + 8, y + 36, 74, 22, p.dark));
        c.rounded(x - 66, y - 22, 132, 58, 28, p.dark);
        c.rect(x - 66, y - 2, 132, 14, p.haze);
        let fill = if stone % 2 == 0 { p.accent } else { p.glow };
        c.line(
            fill,
            16,
            format_args!("M{} {}v-26q4-12 20-12h40", x - 30, y - 22),
        );
    }
    let x = c.random.between(210, 260);
    c.line(p.dark, 11, format_args!("M{} 360L{} 640", x + 40, x + 150));
    c.rounded(x + 100, 630, 110, 30, 8, p.accent);
    c.line(
        p.dark,
        30,
        format_args!("M{} 520l-40 190M{} 520l60 180", x - 20, x + 20),
    );
    c.line(p.accent, 76, format_args!("M{} 500l40-130", x - 10));
    c.line(
        p.accent,
        24,
        format_args!("M{} 370l30 70M{} 380l60 110", x + 40, x + 20),
    );
    c.circle(x + 60, 286, 42, p.dark);
    c.line(p.cream, 16, format_args!("M{} 262h70", x + 26));
}

/// A game of basketball in a yard.
pub(super) fn court(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let mut x = -20;
    while x < WIDTH {
        let (wide, top) = (c.random.between(120, 200), c.random.between(170, 300));
        c.rect(x, top, wide - 6, 300, p.far);
        x += wide;
    }
    for wire in 0..25 {
        c.faint(45, |c| {
            c.line(
                p.mid,
                3,
                format_args!(
                    "M{} 280l-240 240M{} 280l240 240",
                    wire * 60 - 60,
                    wire * 60 - 180
                ),
            );
        });
    }
    c.rect(0, 276, WIDTH, 8, p.dark);
    c.rect(0, 510, WIDTH, 290, p.accent);
    c.line(p.cream, 10, "M0 560h1200M300 560l-80 240M900 560l80 240");
    c.line(p.cream, 10, "M390 800q210-230 420 0");
    c.rect(590, 80, 20, 460, p.dark);
    c.rounded(450, 70, 300, 200, 8, p.cream);
    c.line(p.dark, 9, "M540 130h120v90H540z");
    c.ellipse(600, 262, 74, 14, p.accent);
    c.line(
        p.cream,
        6,
        "M530 266l30 100h80l30-100M570 270l20 96M630 270l-20 96M548 316h104",
    );
    let ball = c.random.between(720, 790);
    c.circle(ball, 190, 46, p.glow);
    c.line(
        p.dark,
        5,
        format_args!("M{} 190h92M{ball} 144v92", ball - 46),
    );
    for (x, foot, coat, reach) in [
        (880, 740, p.cream, -110),
        (330, 770, p.dark, 90),
        (680, 780, p.mid, 60),
    ] {
        let x = x + c.random.between(-20, 20);
        c.line(
            p.dark,
            26,
            format_args!("M{} {foot}l10-120M{} {foot}l-14-120", x - 40, x + 44),
        );
        c.line(coat, 22, format_args!("M{x} {}l{reach}-130", foot - 230));
        c.shape(
            coat,
            format_args!("M{} {}q-6-150 50-160t50 160z", x - 50, foot - 110),
        );
        c.circle(x, foot - 310, 34, p.dark);
    }
}

/// Runners along the streetcar's tracks.
pub(super) fn runners(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let mut x = -40;
    while x < WIDTH {
        let (wide, top) = (c.random.between(140, 210), c.random.between(110, 220));
        let wall = c.random.pick(&[p.far, p.mid]);
        c.rect(x, top, wide - 6, 380, wall);
        for pane in 0..2 {
            c.rounded(x + 24 + pane * 60, top + 40, 34, 60, 8, p.haze);
        }
        c.shape(
            p.glow,
            format_args!("M{x} 390h{}l10 40H{}z", wide - 6, x - 10),
        );
        x += wide;
    }
    c.rect(0, 490, WIDTH, 310, p.dark);
    c.rect(0, 480, WIDTH, 24, p.far);
    c.line(p.far, 9, "M0 700H1200M0 770H1200");
    let coats = [p.accent, p.glow, p.accent, p.glow];
    for runner in 0..4 {
        let index = usize::try_from(runner).unwrap_or(0);
        let at = (
            210 + runner * 260 + c.random.between(-20, 20),
            470 + runner % 2 * 44,
        );
        c.at(at, 0, |c| {
            c.line(
                p.cream,
                28,
                "M0 60l60 70-10 110h30M0 60l-40 90-100 10-10 30",
            );
            c.line(coats[index], 62, "M14-50L0 50");
            c.line(coats[index], 20, "M20-60l60 50 50-40M0-60l-70 40 10 60");
            c.circle(30, -134, 38, p.cream);
            c.line(coats[index], 13, "M0-150h64");
            c.rounded(-24, -40, 54, 50, 4, p.dark);
        });
    }
}

/// A banked cycling track of planks.
pub(super) fn track(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    for tree in 0..6 {
        let x = 90 + tree * 210 + c.random.between(-40, 40);
        c.tree(x, 270, 70, p.mid, p.dark);
    }
    c.rect(0, 250, WIDTH, 40, p.cream);
    c.line(p.accent, 10, "M0 252h1200");
    c.shape(p.far, "M0 290h1200v330Q600 520 0 700z");
    for plank in 0..11 {
        let y = 330 + plank * 36;
        c.faint(40, |c| {
            c.line(
                p.mid,
                5,
                format_args!("M0 {y}Q600 {} 1200 {}", y - plank * 9, y - plank * 8),
            );
        });
    }
    c.line(p.cream, 9, "M0 660Q600 480 1200 580");
    c.line(p.accent, 9, "M0 610Q600 440 1200 540");
    c.shape(p.mid, "M0 700Q600 520 1200 620v180H0z");
    for (x, y, turn, jersey) in [
        (300, 480, -8, p.accent),
        (620, 420, 0, p.glow),
        (920, 440, 6, p.cream),
    ] {
        let x = x + c.random.between(-20, 20);
        c.at((x, y), turn, |c| {
            for wheel in [-80, 80] {
                c.line(
                    p.dark,
                    10,
                    format_args!("M{} 60a52 52 0 1 0 104 0a52 52 0 1 0-104 0", wheel - 52),
                );
            }
            c.line(
                p.dark,
                11,
                "M-80 60l50-80h90l20 80M-30-20L0 60l60-80M60-20h30l6 24",
            );
            c.line(p.dark, 22, "M-34-40l54 40-16 60");
            c.line(jersey, 48, "M-34-60l70-46");
            c.line(jersey, 17, "M40-100l40 76");
            c.circle(72, -142, 30, p.dark);
            c.shape(p.accent, "M40-142q6-44 40-40t28 40z");
        });
    }
}
