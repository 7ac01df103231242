//! Scenes along the streets, from the streetcar to the shop windows.

use super::canvas::{Canvas, WIDTH};

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
    c.circle(sun, 62, 44, p.glow);
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

/// One very narrow house between two wide ones.
pub(super) fn narrow_house(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let left = c.random.between(430, 520);
    for (x, wide, top, wall) in [(-20, left + 12, 280, p.mid), (left + 190, 900, 240, p.far)] {
        c.rect(x, top, wide, 420, wall);
        c.rect(x - 10, top - 24, wide + 20, 30, p.dark);
        for pane in 0..10 {
            let (column, row) = (pane % 5, pane / 5);
            c.rounded(
                x + 50 + column * 150,
                top + 60 + row * 170,
                80,
                110,
                8,
                p.haze,
            );
        }
    }
    c.rect(left, 150, 182, 540, p.accent);
    c.shape(p.dark, format_args!("M{} 156l107-120 107 120z", left - 16));
    c.circle(left + 91, 116, 24, p.glow);
    for floor in 0..3 {
        c.rounded(left + 46, 190 + floor * 124, 90, 92, 8, p.cream);
        c.rounded(
            left + 56,
            200 + floor * 124,
            70,
            72,
            4,
            if floor == 1 { p.glow } else { p.dark },
        );
        c.rect(left + 36, 284 + floor * 124, 110, 12, p.cream);
    }
    c.rounded(left + 50, 560, 82, 130, 8, p.dark);
    c.circle(left + 118, 630, 6, p.glow);
    c.rect(0, 690, WIDTH, 110, p.dark);
    c.rect(0, 690, WIDTH, 22, p.far);
    c.tree(200, 720, 110, p.dark, p.dark);
    c.person(left + 300, 770, p.cream);
}

/// A laneway house among garages.
pub(super) fn laneway(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    for roof in 0..4 {
        let x = roof * 320 - 60;
        c.rect(x, 250, 280, 300, p.far);
        c.shape(p.far, format_args!("M{} 254l160-130 160 130z", x - 20));
        c.rounded(x + 110, 280, 60, 80, 8, p.haze);
    }
    c.rect(0, 440, 380, 240, p.mid);
    c.rect(850, 460, 350, 220, p.mid);
    for (door, top) in [(60, 500), (900, 510)] {
        c.rounded(door, top, 250, 180, 6, p.dark);
        c.line(
            p.mid,
            6,
            format_args!(
                "M{door} {}h250M{door} {}h250M{door} {}h250",
                top + 45,
                top + 90,
                top + 135
            ),
        );
    }
    let x = c.random.between(390, 430);
    c.at((x, 0), 0, |c| {
        c.shapes(&[
            (p.accent, "M0 690V330l420-140v500z"),
            (p.dark, "M-20 340l460-154v-34L-20 304z"),
        ]);
        c.rounded(220, 280, 160, 120, 6, p.glow);
        c.rect(296, 280, 8, 120, p.dark);
        c.rounded(50, 440, 210, 250, 6, p.cream);
        c.rounded(64, 454, 90, 236, 4, p.glow);
        c.rounded(160, 454, 86, 236, 4, p.glow);
        c.rounded(300, 500, 80, 190, 6, p.dark);
        c.rect(290, 470, 110, 16, p.dark);
    });
    c.rect(0, 680, WIDTH, 120, p.dark);
    c.faint(40, |c| c.shape(p.far, "M500 680h200l160 120H340z"));
    for pot in 0..3 {
        let at = 840 + pot * 120;
        c.circle(at, 640, 44, p.far);
        c.shape(p.cream, format_args!("M{} 650h80l-12 70h-56z", at - 40));
    }
    c.line(p.dark, 4, "M0 130Q600 200 1200 110M0 160Q600 230 1200 150");
    c.rect(840, 90, 16, 600, p.dark);
}

/// The front of a streetcar in its barn, and the barn's cat.
pub(super) fn depot(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, 800, p.far);
    for bay in [-90, 720] {
        c.shape(
            p.dark,
            format_args!("M{bay} 690V260q0-170 285-170t285 170v430z"),
        );
        c.rounded(bay + 120, 290, 330, 400, 40, p.mid);
        c.rounded(bay + 150, 330, 270, 160, 20, p.far);
    }
    c.shape(p.dark, "M250 690V230q0-180 350-180t350 180v460z");
    for lamp in [420, 780] {
        c.lamp(lamp, 110, 40);
    }
    c.line(p.dark, 16, "M600 150V60");
    c.rounded(380, 150, 440, 540, 70, p.accent);
    c.rounded(410, 176, 380, 64, 14, p.dark);
    c.rounded(470, 194, 260, 28, 8, p.glow);
    c.rounded(410, 260, 380, 190, 26, p.cream);
    c.shapes(&[
        (p.dark, "M428 296q0-20 20-20h142v156H448q-20 0-20-20zM610 276h142q20 0 20 20v116q0 20-20 20H610z"),
        (p.mid, "M470 432q0-70 50-70t50 70z"),
    ]);
    c.circle(520, 340, 28, p.mid);
    c.rect(380, 490, 440, 22, p.cream);
    for (r, fill) in [(52, p.dark), (40, p.glow)] {
        c.circle(600, 570, r, fill);
    }
    c.discs(18, p.glow, &[(440, 600), (760, 600)]);
    c.rounded(400, 650, 400, 50, 14, p.dark);
    c.rect(0, 690, WIDTH, 110, p.mid);
    c.line(p.cream, 10, "M470 700L380 800M730 700L820 800");
    let x = c.random.between(180, 300);
    c.at((x, 0), 0, |c| {
        c.shape(
            p.cream,
            "M0 760q-14-120 44-130l-10-60 26 18h28l26-18v60q-4 26-24 34 30 30 26 96z",
        );
        c.line(p.cream, 16, "M10 750q-70 0-60-70");
        c.discs(5, p.dark, &[(64, 612), (94, 612)]);
    });
}
