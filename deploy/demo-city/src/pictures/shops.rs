//! Shop fronts and stalls.

use super::canvas::{Canvas, HEIGHT, WIDTH, repeated};

/// A lit serving hatch, where people eat standing.
pub(super) fn hatch(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.far);
    for row in 0..11 {
        for column in 0..5 {
            let x = c.random.between(0, 2) * 70 + column * 250 + row % 2 * 42;
            let fill = c.random.pick(&[p.mid, p.sky]);
            c.faint(30, |c| c.rect(x, row * 62 + 8, 74, 26, fill));
        }
    }
    c.rect(0, 690, WIDTH, 110, p.dark);
    let x = c.random.between(250, 380);
    c.rect(x, 250, 520, 290, p.dark);
    c.rect(x + 16, 266, 488, 258, p.glow);
    c.rect(x + 16, 266, 488, 20, p.cream);
    for jar in 0..6 {
        let tall = c.random.between(40, 74);
        let fill = c.random.pick(&[p.accent, p.mid, p.far]);
        c.rounded(x + 40 + jar * 78, 400 - tall, 46, tall, 8, fill);
    }
    c.rect(x + 16, 400, 488, 10, p.dark);
    let cook = x + c.random.between(150, 370);
    c.circle(cook, 400, 40, p.dark);
    c.shape(p.mid, format_args!("M{} 524q0-90 90-90t90 90z", cook - 90));
    c.shape(
        p.cream,
        format_args!("M{} 376q-10-50 44-50t44 50z", cook - 44),
    );
    c.rect(x - 30, 530, 580, 30, p.cream);
    c.rect(x - 10, 560, 540, 130, p.mid);
    for stripe in 0..9 {
        let fill = if stripe % 2 == 0 { p.accent } else { p.cream };
        let left = x - 34 + stripe * 66;
        c.shape(
            fill,
            format_args!("M{} 190h56l{} 90a33 26 0 0 1-66 0z", left + 5, 5),
        );
    }
    c.rect(x - 30, 172, 588, 24, p.dark);
    // The board with the dishes.
    let board = x + 610;
    c.rounded(board, 300, 190, 260, 10, p.dark);
    for line in 0..6 {
        let width = c.random.between(60, 140);
        c.rounded(
            board + 24,
            330 + line * 36,
            width,
            10,
            5,
            if line == 0 { p.glow } else { p.haze },
        );
    }
    for guest in 0..c.random.between(1, 2) {
        let stand = 130 + guest * 90;
        c.person(stand, 740, if guest == 0 { p.accent } else { p.sky });
    }
    for stool in [x + 90, x + 400] {
        c.rounded(stool, 610, 90, 18, 8, p.dark);
        c.line(
            p.dark,
            10,
            format_args!("M{} 628l-16 120M{} 628l16 120", stool + 20, stool + 70),
        );
    }
    c.faint(25, |c| {
        c.shape(p.glow, format_args!("M{x} 690h520l110 110h-740z"));
    });
    for bulb in 0..8 {
        c.circle(x - 20 + bulb * 80, 156, 11, p.glow);
    }
}

/// Crates of fruit under striped awnings.
pub(super) fn market(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    c.rect(0, 130, WIDTH, 520, p.mid);
    let door = c.random.between(470, 560);
    c.rect(door, 240, 180, 400, p.dark);
    c.rounded(door + 20, 264, 140, 200, 8, p.glow);
    for left in [90, 760] {
        c.rounded(left, 250, 320, 180, 8, p.dark);
        c.rounded(left + 14, 264, 292, 152, 4, p.glow);
        for hung in 0..4 {
            let drop = c.random.between(30, 80);
            let fill = c.random.pick(&[p.accent, p.far, p.cream]);
            c.line(
                p.dark,
                4,
                format_args!("M{} 264v{drop}", left + 50 + hung * 72),
            );
            c.ellipse(left + 50 + hung * 72, 264 + drop + 20, 18, 28, fill);
        }
    }
    for stripe in 0..16 {
        let fill = if stripe % 2 == 0 { p.accent } else { p.cream };
        c.shape(
            fill,
            format_args!("M{} 110h75v120a37 34 0 0 1-75 0z", stripe * 75),
        );
    }
    c.rect(0, 92, WIDTH, 26, p.dark);
    for crate_ in 0..6 {
        let x = 16 + crate_ * 198;
        let y = 520 + crate_ % 2 * 16;
        let fruit = [p.accent, p.glow, p.mid, p.far, p.cream, p.accent]
            [usize::try_from(crate_).unwrap_or(0)];
        let fruit = if fruit == p.mid { p.haze } else { fruit };
        let balls: Vec<_> = (0..7)
            .map(|ball| {
                let lift = c.random.between(0, 5);
                (
                    x + 20 + ball % 4 * 48 + ball / 4 * 22,
                    y - 6 - ball / 4 * 34 - lift,
                )
            })
            .collect();
        c.discs(27, fruit, &balls);
        c.rect(x, y, 186, 110, p.dark);
        for slat in 0..3 {
            c.rect(x + 6, y + 8 + slat * 34, 174, 24, p.far);
        }
        c.rounded(x + 60, y + 30, 66, 44, 4, p.cream);
    }
    c.rect(0, 650, WIDTH, 150, p.dark);
    c.rect(0, 640, WIDTH, 16, p.far);
    let shopper = c.random.between(300, 860);
    c.person(shopper, 780, p.glow);
    c.shape(p.cream, format_args!("M{} 650h60l10 84h-80z", shopper + 44));
    if c.random.chance(6) {
        c.person(shopper - 110, 770, p.accent);
    }
}

/// A shop with a bench at its window.
pub(super) fn storefront(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.far);
    for window in 0..3 {
        let x = 170 + window * 340;
        c.rounded(x, -40, 150, 140, 8, p.cream);
        c.rounded(x + 12, -40, 126, 128, 4, p.mid);
    }
    c.rect(80, 150, 1040, 560, p.accent);
    c.rect(60, 140, 1080, 100, p.dark);
    let mut x = 420;
    while x < 760 {
        let wide = c.random.between(30, 70);
        c.rounded(x, 172, wide, 36, 6, p.glow);
        x += wide + 14;
    }
    c.rect(130, 290, 560, 290, p.dark);
    c.rect(144, 304, 532, 262, p.glow);
    for lamp in [250, 410, 570] {
        c.line(p.dark, 4, format_args!("M{lamp} 304v40"));
        c.shape(p.dark, format_args!("M{} 380q0-40 36-40t36 40z", lamp - 36));
    }
    for guest in 0..2 {
        let x = 270 + guest * 250 + c.random.between(-40, 40);
        c.circle(x, 456, 34, p.mid);
        c.shape(p.mid, format_args!("M{} 566q0-80 66-80t66 80z", x - 66));
    }
    c.awning((120, 240), 10, (58, 50));
    c.rounded(790, 290, 240, 420, 8, p.cream);
    c.rounded(816, 316, 188, 250, 6, p.mid);
    c.circle(1000, 600, 12, p.dark);
    c.rect(0, 700, WIDTH, 100, p.mid);
    c.rounded(170, 640, 400, 22, 8, p.dark);
    c.line(p.dark, 14, "M210 660v80M530 660v80");
    c.shape(p.dark, "M640 740l30-140h80l30 140z");
    c.line(p.cream, 8, "M690 640h40M684 670h52M680 700h60");
    for pot in [60, 1060] {
        c.circle(pot + 40, 610, 62, p.mid);
        c.shape(p.dark, format_args!("M{pot} 640h90l-14 100h-62z"));
    }
}

/// A farmers' stall: apples, roots, eggs, squash and honey.
pub(super) fn produce(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    for post in [60, 1120] {
        c.rect(post, 130, 22, 560, p.dark);
    }
    c.awning((0, 60), 12, (100, 90));
    c.rect(0, 40, WIDTH, 26, p.dark);
    c.rect(90, 300, 1020, 14, p.dark);
    for jar in 0..5 {
        let x = 190 + jar * 188;
        c.rounded(
            x,
            214,
            66,
            86,
            12,
            if jar % 3 == 0 { p.accent } else { p.glow },
        );
        c.rect(x + 4, 200, 58, 18, p.dark);
        c.rect(x + 12, 244, 42, 30, p.cream);
    }
    for crate_ in 0..4 {
        let x = 40 + crate_ * 284;
        c.at((x, 560), 0, |c| crop(c, crate_));
        c.rect(x, 560, 268, 150, p.dark);
        for slat in 0..3 {
            c.rect(x + 8, 570 + slat * 46, 252, 34, p.far);
        }
        c.rounded(x + 84, 600, 100, 60, 4, p.cream);
        c.line(
            p.accent,
            8,
            format_args!("M{} 620h64M{} 640h40", x + 102, x + 102),
        );
    }
    c.rect(0, 710, WIDTH, 90, p.mid);
}

/// One kind of vegetable or fruit, heaped on a crate whose upper left corner is the origin.
fn crop(c: &mut Canvas, kind: i32) {
    let p = c.colours;
    let heap: Vec<_> = (0..9)
        .map(|at| {
            let lift = c.random.between(-6, 6);
            (36 + at % 5 * 48 + at / 5 * 24, lift - 10 - at / 5 * 44)
        })
        .collect();
    match kind {
        // Apples, carrots, cabbages and squash.
        0 => {
            c.discs(30, p.accent, &heap);
            c.line(p.dark, 6, repeated(&heap, "m0-26q4-16 14-18"));
        }
        1 => {
            c.line(
                p.mid,
                8,
                repeated(&heap, "m0-20q-20-40-30-50m30 50v-60m0 60q20-40 30-50"),
            );
            c.shape(p.glow, repeated(&heap, "m-20-10q20-30 40 0l-20 70z"));
        }
        2 => {
            c.discs(32, p.mid, &heap);
            c.line(
                p.haze,
                5,
                repeated(&heap, "m-22 0q22-30 44 0m-44 10q22-16 44 0"),
            );
        }
        _ => {
            c.discs(30, p.glow, &heap);
            c.line(
                p.accent,
                5,
                repeated(&heap, "m-10-22q-10 22 0 44m20-44q10 22 0 44"),
            );
        }
    }
}

/// A flea market: coats on a rail, lamps and records on folding tables.
pub(super) fn flea(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let mut x = -20;
    while x < WIDTH {
        let (wide, top) = (c.random.between(150, 220), c.random.between(120, 220));
        c.rect(x, top, wide - 8, 420, p.far);
        x += wide;
    }
    c.rect(0, 540, WIDTH, 260, p.mid);
    c.bulbs(40, 90);
    c.line(p.dark, 14, "M90 660V240h430v420");
    for coat in 0..5 {
        let x = 140 + coat * 84;
        let coats = [p.accent, p.glow, p.dark, p.cream, p.accent];
        let fill = coats[usize::try_from(coat).unwrap_or(0)];
        let hem = c.random.between(470, 560);
        c.line(p.dark, 5, format_args!("M{x} 240v30"));
        c.shape(
            fill,
            format_args!(
                "M{} 300q40-40 80 0l20 100-26 10V{hem}h-68V410l-26-10z",
                x - 40
            ),
        );
    }
    for (left, right) in [(600, 860), (890, 1150)] {
        c.rect(left, 560, right - left, 20, p.dark);
        c.line(
            p.dark,
            12,
            format_args!("M{} 580l60 170M{} 580l-60 170", left + 60, right - 60),
        );
    }
    for (x, fill) in [(680, p.accent), (790, p.glow)] {
        c.rect(x - 8, 440, 16, 120, p.dark);
        c.ellipse(x, 556, 44, 10, p.dark);
        c.shape(fill, format_args!("M{} 350h60l36 100H{}z", x - 30, x - 66));
    }
    c.rounded(920, 500, 210, 60, 4, p.dark);
    for sleeve in 0..9 {
        let fill = c.random.pick(&[p.accent, p.cream, p.glow]);
        c.rect(930 + sleeve * 22, 450, 16, 100, fill);
    }
    c.circle(1020, 400, 60, p.dark);
    c.circle(1020, 400, 20, p.accent);
    c.person(560, 790, p.accent);
    c.person(870, 790, p.cream);
}
