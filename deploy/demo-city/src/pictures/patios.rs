//! Tables in the open air.

use super::canvas::{Canvas, HEIGHT, WIDTH};

/// Tables under umbrellas and strings of lights.
pub(super) fn patio(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    c.rect(0, 210, WIDTH, 390, p.far);
    for row in 0..6 {
        for _ in 0..4 {
            let x = c.random.between(0, 19) * 62 + (row % 2) * 30;
            c.faint(35, |c| c.rect(x, 222 + row * 62, 54, 24, p.mid));
        }
    }
    for vine in 0..9 {
        let x = vine * 150 + c.random.between(-30, 30);
        let size = c.random.between(60, 96);
        c.circle(x, 205, size, p.mid);
    }
    c.rect(0, 590, WIDTH, 210, p.dark);
    for line in 0..6 {
        c.faint(30, |c| c.rect(0, 614 + line * 34, WIDTH, 4, p.far));
    }
    for (y, dip) in [(60, 120), (20, 200)] {
        c.bulbs(y, dip);
    }
    let colours = [p.accent, p.cream, p.glow, p.mid];
    let shift = c.random.between(0, 3);
    for table in 0..3 {
        let x = 210 + table * 390 + c.random.between(-40, 40);
        let colour = colours[usize::try_from((table + shift) % 4).unwrap_or(0)];
        let top = c.random.between(270, 320);
        c.rect(x - 6, top, 12, 400, p.dark);
        let brim = top + 110;
        c.shape(
            colour,
            format_args!("M{} {brim}Q{x} {} {} {brim}z", x - 190, top - 150, x + 190),
        );
        c.faint(30, |c| {
            c.shape(
                p.dark,
                format_args!(
                    "M{x} {}Q{} {top} {} {brim}H{x}z",
                    top - 20,
                    x + 150,
                    x + 190
                ),
            );
        });
        c.ellipse(x, 640, 120, 20, p.cream);
        c.rect(x - 8, 640, 16, 110, p.cream);
        for side in [-1, 1] {
            let seat = x + side * 150;
            c.line(
                p.accent,
                10,
                format_args!(
                    "M{} 580V744M{} 670H{}V744",
                    seat + side * 30,
                    seat + side * 30,
                    seat - side * 30
                ),
            );
        }
        c.rounded(x - 44, 594, 22, 40, 6, p.accent);
        c.circle(x + 34, 618, 18, p.mid);
    }
}

/// A whitewashed terrace under a vine.
pub(super) fn terrace(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, 620, p.cream);
    c.faint(60, |c| c.shape(p.haze, "M0 0h420L120 620H0z"));
    for (x, wide) in [(150, 200), (820, 200)] {
        c.rect(x, 210, wide, 230, p.dark);
        c.rect(x + 12, 222, wide - 24, 206, p.far);
        for side in [x - 84, x + wide] {
            c.rect(side, 206, 84, 238, p.mid);
            for slat in 0..7 {
                c.rect(side + 10, 220 + slat * 31, 64, 8, p.dark);
            }
        }
        c.rect(x - 10, 440, wide + 20, 18, p.dark);
    }
    c.rounded(500, 230, 200, 400, 90, p.mid);
    c.circle(670, 450, 11, p.glow);
    c.rect(0, 80, WIDTH, 18, p.dark);
    for beam in 0..9 {
        c.rect(40 + beam * 140, 40, 16, 90, p.dark);
    }
    for leafy in 0..15 {
        let (x, y) = (
            leafy * 84 + c.random.between(-24, 24),
            c.random.between(60, 140),
        );
        let fill = if leafy % 3 == 0 { p.dark } else { p.mid };
        c.circle(x, y, 52, fill);
        if leafy % 4 == 1 {
            let grapes = [(x - 12, y + 60), (x + 12, y + 60), (x, y + 80), (x, y + 44)];
            c.discs(13, p.accent, &grapes);
        }
    }
    c.rect(0, 620, WIDTH, 180, p.far);
    for x in [290, 890] {
        let x = x + c.random.between(-10, 10);
        c.at((x, 0), 0, |c| {
            c.ellipse(0, 640, 150, 22, p.accent);
            c.line(p.dark, 14, "M0 650v110M-50 766h100");
            c.line(
                p.dark,
                14,
                "M-240 530v230M-240 680h80v80M240 530v230M240 680h-80v80",
            );
            c.rounded(-60, 580, 26, 52, 8, p.mid);
            c.ellipse(30, 628, 56, 10, p.cream);
        });
    }
    for pot in [60, 1110] {
        c.circle(pot, 620, 60, p.mid);
        c.discs(
            14,
            p.accent,
            &[(pot - 26, 600), (pot + 20, 590), (pot + 4, 630)],
        );
        c.shape(p.accent, format_args!("M{} 650h96l-14 100h-68z", pot - 48));
    }
}

/// Tables on a deck beside the lake.
pub(super) fn boardwalk(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let sun = c.random.between(480, 720);
    c.circle(sun, 150, 76, p.glow);
    c.rect(0, 310, WIDTH, 260, p.far);
    for row in 0..7 {
        let (x, wide) = (c.random.between(0, 900), c.random.between(100, 300));
        c.faint(55, |c| c.rounded(x, 330 + row * 30, wide, 7, 3, p.haze));
    }
    let boat = c.random.between(480, 700);
    c.shape(p.cream, format_args!("M{boat} 330v-90l56 90z"));
    c.shape(p.dark, format_args!("M{} 336h100l-16 18h-66z", boat - 40));
    c.rect(0, 450, WIDTH, 14, p.dark);
    for post in 0..9 {
        c.rect(20 + post * 145, 450, 14, 130, p.dark);
    }
    c.line(p.dark, 5, "M0 500h1200M0 540h1200");
    c.rect(0, 570, WIDTH, HEIGHT - 570, p.mid);
    for plank in 0..6 {
        c.rect(0, 600 + plank * 36, WIDTH, 4, p.dark);
    }
    for (x, colour) in [(240, p.accent), (930, p.cream)] {
        let x = x + c.random.between(-30, 30);
        c.at((x, 0), 0, |c| {
            c.rect(-7, 190, 14, 480, p.dark);
            c.shape(colour, "M-220 330Q0 40 220 330z");
            c.shape(p.glow, "M-74 330Q0 40 74 330z");
            c.rect(-160, 620, 320, 22, p.cream);
            c.line(p.cream, 16, "M-80 640l-50 130M80 640l50 130");
            c.rect(-220, 690, 110, 18, p.cream);
            c.rect(110, 690, 110, 18, p.cream);
            c.shape(p.accent, "M-110 560h60l-10 60h-40z");
            c.line(p.glow, 9, "M-94 560l-8-40M-80 560v-48M-66 560l10-40");
            c.rounded(50, 566, 34, 54, 6, p.glow);
        });
    }
    c.shapes(&[
        (p.cream, "M560 440q30-60 90-50l70-10-40 30q-20 40-70 36z"),
        (p.accent, "M566 420l-34 12 32 6z"),
    ]);
    c.line(p.accent, 6, "M610 446v16M630 446v16");
}
