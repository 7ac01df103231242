//! Scenes of the magazine's stories: stages, rinks, building sites, workbenches and trains.

use super::canvas::{Canvas, HEIGHT, WIDTH};

/// A small stage between curtains.
pub(super) fn stage(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.mid, p.far);
    for beam in 0..3 {
        let top = 300 + beam * 300;
        let foot = top + c.random.between(-160, 160);
        c.faint(24, |c| {
            c.shape(
                p.glow,
                format_args!("M{} 40h40L{} 620H{}z", top - 20, foot + 150, foot - 150),
            );
        });
        c.rounded(top - 34, 20, 68, 50, 12, p.dark);
    }
    c.rect(0, 610, WIDTH, 190, p.mid);
    c.rect(0, 660, WIDTH, 40, p.dark);
    c.shape(p.haze, "M120 610h960l70 60H50z");
    match c.random.between(0, 2) {
        0 => {
            let x = c.random.between(420, 560);
            // A piano and its player.
            c.shape(
                p.dark,
                format_args!("M{x} 400h250q70 0 70 60t70 60v20H{x}z"),
            );
            c.rect(x, 540, 390, 14, p.cream);
            c.line(
                p.dark,
                14,
                format_args!("M{} 550v80M{} 550v80", x + 30, x + 350),
            );
            c.circle(x - 70, 400, 34, p.cream);
            c.shape(
                p.accent,
                format_args!("M{} 620q0-190 66-190t66 190z", x - 136),
            );
        }
        1 => {
            // Singers in a row.
            for singer in 0..5 {
                let x = 280 + singer * 160 + c.random.between(-16, 16);
                let high = c.random.between(330, 380);
                let coat = c.random.pick(&[p.accent, p.sky, p.cream, p.glow]);
                c.shape(
                    coat,
                    format_args!(
                        "M{} 640q-6-{} 60-{}t60 {}z",
                        x - 60,
                        640 - high,
                        590 - high,
                        590 - high
                    ),
                );
                c.circle(x, high + 10, 34, p.dark);
                c.ellipse(x, high + 22, 8, 11, p.cream);
            }
        }
        _ => {
            // One microphone and a stool.
            let x = c.random.between(520, 680);
            c.line(p.dark, 10, format_args!("M{x} 640V330l-50-36"));
            c.circle(x - 60, 284, 26, p.dark);
            c.circle(x - 60, 284, 16, p.cream);
            c.rounded(x + 80, 470, 120, 22, 10, p.accent);
            c.line(
                p.dark,
                9,
                format_args!("M{} 490l-20 150M{} 490l20 150", x + 100, x + 180),
            );
            c.rounded(x + 118, 416, 34, 54, 6, p.cream);
        }
    }
    for side in [0, 1] {
        let (begin, fold) = if side == 0 { (0, 52) } else { (WIDTH, -52) };
        for pleat in 0..4 {
            let x = begin + fold * pleat;
            let fill = if pleat % 2 == 0 { p.accent } else { p.mid };
            c.shape(
                fill,
                format_args!("M{x} 0h{fold}q{} 360 {} 640H{x}z", fold / 2, -fold / 3),
            );
        }
    }
    c.rect(0, 0, WIDTH, 34, p.accent);
    for head in 0..9 {
        let x = 60 + head * 136 + c.random.between(-24, 24);
        let y = c.random.between(700, 730);
        c.circle(x, y, 40, p.dark);
        c.ellipse(x, 822, 78, 76, p.dark);
    }
}

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

/// A crane over half-built floors.
pub(super) fn crane(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let (sun_x, sun_y) = (c.random.between(200, 1000), c.random.between(180, 330));
    c.circle(sun_x, sun_y, 84, p.glow);
    let left = c.random.between(120, 260);
    let floors = c.random.between(4, 6);
    for floor in 0..floors {
        let y = 640 - floor * 84;
        c.rect(
            left,
            y - 84,
            420,
            84,
            if floor % 2 == 0 { p.far } else { p.mid },
        );
        for bay in 0..5 {
            let lit = c.random.chance(4);
            c.rounded(
                left + 22 + bay * 80,
                y - 66,
                54,
                48,
                4,
                if lit { p.glow } else { p.dark },
            );
        }
        c.rect(left - 14, y - 8, 448, 12, p.dark);
    }
    let top = 640 - floors * 84;
    for post in 0..5 {
        c.rect(left + 10 + post * 96, top - 60, 14, 60, p.dark);
    }
    // Trees on the roof.
    for tree in 0..c.random.between(0, 3) {
        c.tree(left + 90 + tree * 110, top, 34, p.mid, p.dark);
    }
    let mast = left + c.random.between(540, 620);
    c.rect(mast - 16, 120, 32, 540, p.accent);
    for brace in 0..8 {
        let y = 150 + brace * 62;
        c.line(p.cream, 5, format_args!("M{} {y}l28 30l-28 30", mast - 14));
    }
    c.rect(mast - 430, 108, 640, 22, p.accent);
    c.line(
        p.dark,
        5,
        format_args!("M{mast} 50L{} 110M{mast} 50L{} 110", mast - 400, mast + 190),
    );
    c.shape(p.accent, format_args!("M{} 110l16-66h8l16 66z", mast - 20));
    c.rect(mast + 150, 128, 64, 60, p.dark);
    c.rounded(mast - 52, 130, 44, 52, 6, p.cream);
    let hook = mast - c.random.between(180, 380);
    let drop = c.random.between(180, 300);
    c.line(p.dark, 4, format_args!("M{hook} 130v{}", drop - 130));
    c.shape(
        p.mid,
        format_args!("M{} {}l70-40 70 40z", hook - 70, drop + 40),
    );
    c.rounded(hook - 80, drop + 38, 160, 40, 4, p.cream);
    c.rect(0, 640, WIDTH, 160, p.dark);
    for house in 0..7 {
        let x = house * 180 - 20 + c.random.between(0, 24);
        let wall = c.random.pick(&[p.mid, p.far, p.accent]);
        c.rect(x, 650, 140, 150, wall);
        c.shape(p.dark, format_args!("M{} 654l80-74 80 74z", x - 10));
        c.rounded(x + 50, 690, 40, 54, 18, p.glow);
    }
}

/// A workbench by lamplight.
pub(super) fn desk(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.haze, p.sky);
    c.rounded(90, 60, 1020, 380, 14, p.far);
    for hook in 0..7 {
        let x = 160 + hook * 146;
        let long = c.random.between(110, 210);
        c.circle(x, 110, 8, p.dark);
        match c.random.between(0, 3) {
            0 => {
                c.rounded(x - 10, 120, 20, long, 8, p.mid);
                c.rounded(x - 36, 120, 72, 40, 6, p.dark);
            }
            1 => {
                c.line(p.dark, 16, format_args!("M{x} 130v{long}"));
                c.rounded(x - 14, 120, 28, 78, 12, p.accent);
            }
            2 => c.line(p.cream, 12, format_args!("M{x} 122a44 44 0 1 1-2 0z")),
            _ => {
                c.line(
                    p.mid,
                    14,
                    format_args!("M{x} 130l-30 {long}M{x} 130l30 {long}"),
                );
                c.circle(x, 150, 20, p.accent);
            }
        }
    }
    c.rect(0, 560, WIDTH, 240, p.mid);
    c.rect(0, 560, WIDTH, 22, p.dark);
    let toaster = c.random.between(130, 300);
    c.rounded(toaster, 420, 280, 150, 44, p.accent);
    c.rounded(toaster + 40, 408, 200, 20, 8, p.dark);
    c.rounded(toaster + 70, 340, 60, 80, 14, p.glow);
    c.rect(toaster + 258, 460, 34, 14, p.dark);
    c.line(
        p.dark,
        8,
        format_args!("M{toaster} 540q-90 10-80 80t-90 100"),
    );
    let radio = c.random.between(560, 720);
    c.rounded(radio, 390, 380, 180, 20, p.dark);
    c.circle(radio + 110, 480, 66, p.cream);
    c.circle(radio + 110, 480, 48, p.far);
    for bar in 0..5 {
        let high = c.random.between(20, 90);
        c.rect(radio + 206 + bar * 30, 530 - high, 20, high, p.glow);
    }
    c.line(p.dark, 8, format_args!("M{} 392l80-150", radio + 330));
    for part in 0..9 {
        let x = 70 + part * 126 + c.random.between(-30, 30);
        let y = c.random.between(640, 740);
        let fill = c.random.pick(&[p.cream, p.glow, p.accent, p.far]);
        if c.random.chance(5) {
            c.circle(x, y, 18, fill);
            c.circle(x, y, 7, p.dark);
        } else {
            c.rounded(x, y, 62, 16, 8, fill);
        }
    }
    let lamp = c.random.between(480, 560);
    c.lamp(lamp, 150, 60);
}

/// A train through the woods.
pub(super) fn train(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let (moon_x, moon_y) = (c.random.between(200, 1000), c.random.between(110, 220));
    c.circle(moon_x, moon_y, 64, p.glow);
    c.shape(
        p.far,
        "M0 430l200-150 170 110 230-190 260 200 180-110 160 120v430H0z",
    );
    for pine in 0..15 {
        let x = pine * 86 + c.random.between(-20, 20);
        let high = c.random.between(150, 270);
        let y = 560;
        c.shape(
            p.mid,
            format_args!("M{x} {}l{w} {high}h-{}z", y - high, 2 * 46, w = 46),
        );
    }
    c.rect(0, 540, WIDTH, 70, p.mid);
    let nose = c.random.between(120, 220);
    c.rounded(nose, 400, 1400, 170, 26, p.accent);
    c.rect(nose + 60, 522, 1400, 16, p.cream);
    c.shape(p.dark, format_args!("M{} 426h80v70h-104z", nose + 30));
    c.circle(nose + 16, 530, 15, p.glow);
    for window in 0..9 {
        let x = nose + 190 + window * 110;
        c.rounded(x, 430, 78, 64, 10, p.glow);
        if c.random.chance(5) {
            c.circle(x + 40, 470, 14, p.dark);
            c.shape(p.dark, format_args!("M{} 494a22 22 0 0 1 44 0z", x + 18));
        }
    }
    c.rect(nose + 610, 400, 12, 170, p.dark);
    for wheel in 0..9 {
        c.circle(nose + 90 + wheel * 128, 578, 24, p.dark);
    }
    c.faint(40, |c| {
        c.shape(p.glow, format_args!("M{nose} 526L0 470v130z"));
    });
    c.rect(0, 600, WIDTH, 10, p.dark);
    for sleeper in 0..16 {
        c.rect(sleeper * 78 + 10, 612, 44, 14, p.dark);
    }
    c.rect(0, 626, WIDTH, 174, p.far);
    c.ellipse(700, 730, 560, 60, p.sky);
    let canoe = c.random.between(320, 760);
    c.shape(
        p.accent,
        format_args!("M{canoe} 700q120 40 240 0-20 56-120 56t-120-56z"),
    );
    c.shape(p.dark, "M0 800v-60q150-40 280 0t300 40v20z");
    for pine in [90, 1110] {
        c.shape(p.dark, format_args!("M{pine} 470l90 330h-180z"));
    }
}
