//! Scenes along the streets, from the streetcar to the shop windows.

use super::canvas::{Canvas, HEIGHT, WIDTH};

/// A streetcar in front of shops.
pub(super) fn streetcar(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let mut x = -30;
    while x < WIDTH {
        let width = c.random.between(150, 230);
        let top = c.random.between(110, 250);
        let wall = c.random.pick(&[p.far, p.mid, p.far]);
        c.rect(x, top, width - 4, 520 - top, wall);
        c.rect(x - 5, top - 14, width + 6, 20, p.dark);
        for column in 0..3 {
            let wx = x + width * (2 * column + 1) / 6 - 16;
            let pane = if c.random.chance(4) { p.glow } else { p.haze };
            c.rounded(wx, top + 46, 32, 62, 14, pane);
        }
        x += width;
    }
    c.rect(0, 560, WIDTH, 240, p.dark);
    c.rect(0, 540, WIDTH, 26, p.far);
    c.line(p.dark, 3, "M0 150Q600 200 1200 150M0 176Q600 226 1200 176");
    let left = c.random.between(90, 300);
    c.group(format_args!(r#"transform="translate({left})""#), |c| {
        c.line(p.dark, 6, "M380 306L300 196");
        c.rounded(0, 312, 830, 300, 34, p.accent);
        c.rounded(0, 312, 830, 44, 22, p.cream);
        c.rect(0, 486, 830, 18, p.cream);
        c.rounded(18, 600, 794, 34, 10, p.mid);
        for window in 0..6 {
            let wx = 128 + window * 112;
            let door = window == 1 || window == 4;
            let (top, high) = if door { (374, 226) } else { (374, 96) };
            c.rounded(wx, top, 92, high, 10, if door { p.dark } else { p.glow });
            if door {
                c.rect(wx + 10, 386, 32, 190, p.glow);
                c.rect(wx + 50, 386, 32, 190, p.glow);
            } else {
                let head = c.random.between(18, 74);
                c.circle(wx + head, 440, 15, p.dark);
                c.shape(
                    p.dark,
                    format_args!("M{} 470a24 24 0 0 1 48 0z", wx + head - 24),
                );
            }
        }
        c.shape(p.haze, "M16 470V400q0-30 30-30h58v100z");
        c.circle(40, 540, 17, p.glow);
        for wheel in [140, 250, 590, 700] {
            c.circle(wheel, 636, 24, p.dark);
            c.circle(wheel, 636, 10, p.far);
        }
    });
    c.line(p.far, 7, "M0 672H1200M0 748H1200");
    let sign = if left > 200 { 70 } else { 1120 };
    c.rect(sign - 5, 380, 10, 240, p.dark);
    c.circle(sign, 380, 40, p.cream);
    c.circle(sign, 380, 28, p.accent);
}

/// A row of bay-and-gable houses.
pub(super) fn houses(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let sun = c.random.between(150, 1050);
    c.circle(sun, 150, 70, p.glow);
    let start = c.random.between(-130, -10);
    for index in 0..5 {
        let x = start + index * 268;
        let wall = [p.mid, p.accent, p.far, p.mid, p.cream]
            [usize::try_from((index + start.abs()) % 5).unwrap_or(0)];
        let trim = if wall == p.cream { p.mid } else { p.cream };
        let peak = c.random.between(120, 190);
        c.rect(x + 210, peak + 40, 34, 120, p.dark);
        c.rect(x, peak + 170, 262, 470 - peak, wall);
        c.shape(
            p.dark,
            format_args!("M{} {}l146-176 146 176z", x - 16, peak + 176),
        );
        c.shape(
            wall,
            format_args!("M{} {}l116-140 116 140z", x + 14, peak + 178),
        );
        c.rounded(x + 108, peak + 96, 44, 70, 22, p.glow);
        let pane = if c.random.chance(6) { p.glow } else { p.haze };
        c.rounded(x + 26, peak + 204, 104, 118, 8, trim);
        c.rounded(x + 36, peak + 214, 38, 98, 4, pane);
        c.rounded(x + 82, peak + 214, 38, 98, 4, pane);
        c.rounded(x + 172, peak + 214, 56, 108, 28, pane);
        c.shape(p.dark, format_args!("M{} 494h276l-20-32h-236z", x - 6));
        c.rect(x + 10, 494, 12, 150, trim);
        c.rect(x + 240, 494, 12, 150, trim);
        c.rounded(
            x + 168,
            516,
            66,
            128,
            6,
            if wall == p.accent { p.dark } else { p.accent },
        );
        c.circle(x + 222, 586, 5, p.glow);
        c.rounded(x + 44, 524, 96, 88, 6, p.glow);
        c.rect(x + 88, 524, 8, 88, trim);
    }
    c.rect(0, 640, WIDTH, 160, p.dark);
    c.rect(0, 640, WIDTH, 34, p.far);
    for _ in 0..2 {
        let x = c.random.between(60, 1140);
        let size = c.random.between(96, 132);
        c.tree(x, 690, size, p.mid, p.dark);
    }
    let bicycle = c.random.between(160, 860);
    c.line(
        p.cream,
        6,
        format_args!("M{bicycle} 700l48-62h76l-50 62zl40-76m60 14l44 62m-36-92h-18"),
    );
    for wheel in [bicycle, bicycle + 168] {
        c.line(
            p.cream,
            6,
            format_args!("M{} 700a44 44 0 1 0 88 0a44 44 0 1 0-88 0", wheel - 44),
        );
    }
}

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
        c.line(
            p.dark,
            4,
            format_args!("M0 {y}Q300 {0} 600 {y}T1200 {y}", y + dip),
        );
        let bulbs: Vec<_> = (0..12)
            .map(|bulb| {
                let x = 50 + bulb * 100;
                let sag = if x < 600 { dip } else { -dip };
                let along = x % 600;
                (x, y + 12 + 2 * sag * along * (600 - along) / 360_000)
            })
            .collect();
        c.faint(25, |c| c.discs(26, p.glow, &bulbs));
        c.discs(10, p.glow, &bulbs);
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

/// The front of a pub in the evening.
pub(super) fn pub_front(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    c.rect(70, 0, 1060, 690, p.far);
    for row in 0..8 {
        for column in 0..10 {
            if c.random.chance(3) {
                c.faint(35, |c| {
                    c.rect(
                        80 + column * 104 + row % 2 * 40,
                        10 + row * 26,
                        60,
                        16,
                        p.mid,
                    );
                });
            }
        }
    }
    for window in 0..3 {
        let x = 190 + window * 330;
        let pane = if c.random.chance(6) { p.glow } else { p.dark };
        c.rounded(x, 40, 130, 150, 8, p.cream);
        c.rounded(x + 10, 50, 110, 132, 4, pane);
        c.rect(x + 60, 50, 8, 132, p.cream);
    }
    c.rect(50, 228, 1100, 462, p.dark);
    c.rect(30, 220, 1140, 86, p.accent);
    c.rect(30, 300, 1140, 12, p.glow);
    let mut x = 330;
    while x < 860 {
        let width = c.random.between(22, 60);
        c.rounded(x, 246, width, 34, 5, p.cream);
        x += width + if c.random.chance(3) { 34 } else { 10 };
    }
    let door = c.random.pick(&[500, 500, 830]);
    for left in [110, if door == 500 { 740 } else { 450 }] {
        c.rounded(left, 350, 340, 240, 12, p.glow);
        for bar in 1..4 {
            c.rect(left + bar * 85 - 4, 350, 8, 240, p.dark);
        }
        c.rect(left, 410, 340, 8, p.dark);
        for _ in 0..2 {
            let head = left + c.random.between(50, 290);
            c.faint(80, |c| {
                c.circle(head, 500, 30, p.mid);
                c.shape(p.mid, format_args!("M{} 590q0-60 54-60t54 60z", head - 54));
            });
        }
        c.rect(left, 610, 340, 60, p.mid);
        let baskets = [(left + 40, 352), (left + 290, 352)];
        c.discs(34, p.mid, &baskets);
        c.discs(12, p.accent, &baskets.map(|(x, y)| (x - 16, y - 12)));
        c.discs(12, p.cream, &baskets.map(|(x, y)| (x + 16, y - 2)));
    }
    c.rounded(door, 340, 190, 350, 8, p.accent);
    c.rounded(door + 24, 366, 142, 150, 70, p.glow);
    c.rect(door + 90, 366, 8, 150, p.accent);
    c.circle(door + 160, 560, 10, p.glow);
    c.rect(0, 690, WIDTH, 110, p.mid);
    for stone in 0..20 {
        let y = 702 + stone % 3 * 32;
        c.faint(40, |c| c.rect(stone * 62 - 20, y, 76, 20, p.dark));
    }
    // The hanging sign.
    c.line(p.dark, 9, "M1130 330h-96M1040 330v30");
    c.rounded(984, 356, 112, 140, 12, p.cream);
    let sign = c.random.pick(&[p.accent, p.mid]);
    c.circle(1040, 414, 34, sign);
    c.shape(p.dark, "M1010 470h60l-12-22h-36z");
    c.faint(30, |c| c.shape(p.glow, "M110 690l-60 110h1100l-90-110z"));
}

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
