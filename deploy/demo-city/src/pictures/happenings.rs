//! Scenes of the magazine's stories: building sites, workbenches, trains, crossings.

use super::canvas::{Canvas, WIDTH};

/// A crane over half-built floors.
pub(super) fn crane(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    // To the right of the crane.
    let (sun_x, sun_y) = (c.random.between(1010, 1080), c.random.between(300, 370));
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
            // A screwdriver.
            c.askew((x, y), 40, |c| {
                c.line(p.dark, 9, "M0 0h74");
                c.rounded(-66, -15, 74, 30, 12, fill);
            });
        }
    }
    let lamp = c.random.between(480, 560);
    c.lamp(lamp, 150, 60);
}

/// A train through the woods.
pub(super) fn train(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    // Above the highest peak.
    let (moon_x, moon_y) = (c.random.between(200, 1000), c.random.between(84, 116));
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

/// People at a crossing with a signal.
pub(super) fn crossing(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    for (x, wide, top) in [
        (-20, 260, 150),
        (250, 200, 230),
        (780, 210, 200),
        (1000, 240, 130),
    ] {
        c.rect(x, top, wide, 340, p.far);
        for pane in 0..6 {
            c.rounded(
                x + 36 + pane % 2 * 90,
                top + 40 + pane / 2 * 90,
                50,
                60,
                6,
                p.haze,
            );
        }
    }
    c.rect(0, 470, WIDTH, 330, p.dark);
    c.rect(0, 470, WIDTH, 26, p.far);
    for bar in 0..7 {
        let x = 130 + bar * 140;
        c.shape(
            p.cream,
            format_args!("M{x} 570h84l{} 170h-116z", (bar - 3) * 14),
        );
    }
    let post = c.random.pick(&[170, 1010]);
    c.rect(post - 9, 130, 18, 460, p.mid);
    c.rounded(post - 64, 80, 128, 300, 22, p.mid);
    for (y, fill) in [(134, p.accent), (230, p.dark), (326, p.dark)] {
        c.circle(post, y, 38, fill);
    }
    c.person(640, 700, p.accent);
    c.at((640, 540), 0, |c| {
        c.line(p.accent, 20, "M20-60l90-70");
        c.line(p.cream, 9, "M110-90v-120");
        c.shape(p.accent, "M86-280h48l34 34v48l-34 34H86l-34-34v-48z");
        c.rect(76, -236, 68, 18, p.cream);
    });
    for child in 0..3 {
        let x = 420 - child * 84 + c.random.between(-10, 10);
        let coat = [p.glow, p.cream, p.accent][usize::try_from(child).unwrap_or(0)];
        c.shape(coat, format_args!("M{} 700q0-110 34-110t34 110z", x - 34));
        c.circle(x, 566, 28, p.far);
        c.line(
            p.far,
            15,
            format_args!("M{} 700v44M{} 700v44", x - 14, x + 14),
        );
    }
}

/// Home-made boats in a trough.
pub(super) fn boats(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.haze, p.sky);
    c.bulbs(50, 90);
    for (x, coat) in [
        (150, p.accent),
        (330, p.mid),
        (560, p.dark),
        (800, p.accent),
        (1020, p.mid),
    ] {
        let x = x + c.random.between(-24, 24);
        c.shape(
            coat,
            format_args!("M{} 520V400q0-70 70-70t70 70v120z", x - 70),
        );
        c.circle(x, 276, 44, p.dark);
        c.line(coat, 26, format_args!("M{} 430l-60 60", x - 40));
    }
    c.rect(0, 500, WIDTH, 300, p.dark);
    c.rect(0, 500, WIDTH, 26, p.far);
    c.rect(0, 560, WIDTH, 170, p.far);
    c.faint(60, |c| {
        c.line(p.haze, 8, "M40 600h180M380 590h120M700 610h220M980 590h140");
    });
    for boat in 0..4 {
        let sail = [p.accent, p.cream, p.glow, p.accent][usize::try_from(boat).unwrap_or(0)];
        let at = (150 + boat * 290 + c.random.between(-20, 20), 640);
        c.askew(at, 5, |c| {
            c.line(p.dark, 9, "M0 0v-220");
            c.shape(
                sail,
                if boat % 2 == 0 {
                    "M8-214l96 170H8z"
                } else {
                    "M-70-200h140v130h-140z"
                },
            );
            c.shape(p.cream, "M-110-10h220l-40 70H-70z");
            c.rect(-90, 8, 180, 10, p.accent);
        });
    }
    c.rect(0, 690, WIDTH, 60, p.mid);
    for plank in 0..10 {
        c.rect(plank * 130 + 10, 690, 6, 110, p.dark);
    }
}

/// A small transmitter on a window sill, above the roofs.
pub(super) fn radio(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    for (r, percent) in [(470, 20), (350, 30), (230, 40)] {
        c.faint(percent, |c| c.circle(700, 200, r, p.glow));
    }
    let mut x = -60;
    while x < WIDTH {
        let (wide, top) = (c.random.between(150, 230), c.random.between(430, 500));
        c.rect(x, top, wide - 4, 260, p.mid);
        c.shape(
            p.dark,
            format_args!("M{} {top}l{}-90 {} 90z", x - 10, wide / 2 + 8, wide / 2 + 8),
        );
        c.rounded(x + wide / 3, top + 40, 46, 70, 6, p.glow);
        x += wide;
    }
    c.line(p.dark, 12, "M700 520V200M640 520l60-130 60 130");
    c.circle(700, 190, 26, p.accent);
    c.rect(0, 640, WIDTH, 160, p.far);
    c.rect(0, 640, WIDTH, 22, p.cream);
    c.rounded(480, 500, 440, 150, 8, p.accent);
    c.rect(460, 490, 480, 44, p.cream);
    c.circle(590, 594, 42, p.dark);
    c.circle(590, 594, 26, p.cream);
    for dial in 0..3 {
        c.circle(
            720 + dial * 70,
            594,
            22,
            if dial == 0 { p.glow } else { p.dark },
        );
    }
    c.line(p.dark, 9, "M480 610q-140 10-160 60t-110 40");
    let mug = c.random.between(120, 180);
    c.rounded(mug, 550, 110, 96, 14, p.dark);
    c.line(p.dark, 16, format_args!("M{} 570q44 4 0 50", mug + 110));
    c.steam(mug + 54, 536);
}
