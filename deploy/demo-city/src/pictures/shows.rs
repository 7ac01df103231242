//! Stages and their audiences.

use super::canvas::{Canvas, HEIGHT, WIDTH};

/// A play between curtains.
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
    let set = c.random.between(500, 580);
    c.rect(set, 290, 190, 330, p.dark);
    c.rect(set + 16, 306, 158, 314, p.glow);
    c.shape(
        p.accent,
        format_args!("M{} 306l-70 30v300l70-16z", set + 16),
    );
    for (x, coat, arm) in [(380, p.accent, 80), (800, p.cream, -90)] {
        let x = x + c.random.between(-20, 20);
        c.line(coat, 22, format_args!("M{x} 450l{arm}-60"));
        c.shape(coat, format_args!("M{} 640q-6-230 60-230t60 230z", x - 60));
        c.circle(x, 384, 36, p.dark);
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
    audience(c, p.dark);
}

fn audience(c: &mut Canvas, fill: &str) {
    for head in 0..9 {
        let x = 60 + head * 136 + c.random.between(-24, 24);
        let y = c.random.between(700, 730);
        c.circle(x, y, 40, fill);
        c.ellipse(x, 822, 78, 76, fill);
    }
}

/// Two rows of singers under church windows.
pub(super) fn choir(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.far, p.mid);
    for window in 0..3 {
        let x = 150 + window * 340;
        c.shape(
            p.dark,
            format_args!("M{} 420V170q110-190 220 0v250z", x - 10),
        );
        c.shape(p.glow, format_args!("M{} 406V180q95-160 190 0v226z", x + 5));
        c.line(
            p.dark,
            8,
            format_args!("M{} 90v320M{x} 200h200M{x} 300h200", x + 100),
        );
    }
    c.rect(0, 640, WIDTH, 160, p.dark);
    for (row, count, foot) in [(0, 6, 640), (1, 5, 720)] {
        for singer in 0..count {
            let x = 600 + (2 * singer - count + 1) * 84 + c.random.between(-10, 10);
            let head = foot - 270 - c.random.between(0, 40);
            let coat = c.random.pick(&[p.accent, p.sky, p.haze]);
            c.shape(
                coat,
                format_args!(
                    "M{} {foot}V{}q0-80 64-80t64 80v{}z",
                    x - 64,
                    head + 110,
                    foot - head - 110
                ),
            );
            c.circle(x, head, 36, p.dark);
            c.ellipse(x, head + 12, 9, 13, p.cream);
            if row == 1 {
                c.rounded(x - 44, head + 110, 88, 60, 6, p.cream);
            }
        }
    }
    c.shape(p.dark, "M510 800q0-150 90-150t90 150z");
    c.circle(600, 610, 40, p.dark);
    c.line(p.dark, 20, "M660 690l70-70M540 690l-70-60");
    c.line(p.cream, 7, "M730 620l46-70");
}

/// A piano below a silent film.
pub(super) fn piano(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.dark);
    c.faint(25, |c| c.shape(p.glow, "M560 800h60l330-740H230z"));
    c.rect(236, 50, 728, 404, p.mid);
    c.rect(252, 66, 696, 372, p.cream);
    let ship = c.random.between(420, 620);
    c.circle(ship + 230, 150, 40, p.glow);
    c.at((ship, 330), -12, |c| {
        c.shape(p.dark, "M-110 0h240l-40 60H-70z");
        c.line(p.dark, 9, "M0 0V-170M70 0V-120");
        c.shape(p.far, "M8-160q80 60 0 130z");
    });
    for (y, fill) in [(360, p.far), (396, p.mid)] {
        c.shape(
            fill,
            format_args!("M252 {y}q60-40 116 0t116 0 116 0 116 0 116 0 116 0V438H252z"),
        );
    }
    c.rounded(760, 500, 300, 180, 12, p.accent);
    c.rect(730, 580, 340, 34, p.cream);
    for key in 0..11 {
        c.rect(746 + key * 29, 580, 12, 20, p.dark);
    }
    c.rect(750, 614, 20, 120, p.accent);
    c.rounded(800, 520, 120, 56, 4, p.cream);
    c.line(p.haze, 22, "M640 620l110-30");
    c.shape(p.haze, "M560 740q0-190 70-190t70 190z");
    c.circle(640, 520, 36, p.haze);
    audience(c, p.mid);
}

/// A microphone in the light.
pub(super) fn microphone(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.mid);
    c.bricks((170, 70), p.far);
    c.faint(28, |c| c.shape(p.glow, "M560 0h80l360 800H200z"));
    c.rect(0, 690, WIDTH, 110, p.dark);
    c.faint(60, |c| c.ellipse(600, 720, 330, 40, p.glow));
    c.line(p.dark, 22, "M560 720V420");
    c.ellipse(560, 726, 120, 20, p.dark);
    c.at((600, 330), -34, |c| {
        c.shape(p.dark, "M-46 40h92l-20 230h-52z");
        c.rounded(-70, 10, 140, 50, 14, p.accent);
        c.circle(0, -70, 106, p.cream);
        c.line(
            p.far,
            7,
            "M-96-110h192M-106-70h212M-96-30h192M-50-164v190M0-174v200M50-164v190",
        );
        c.rounded(-112, -34, 224, 26, 10, p.accent);
    });
    let stool = c.random.between(850, 920);
    c.rounded(stool, 530, 170, 28, 12, p.accent);
    c.line(
        p.dark,
        14,
        format_args!("M{} 558l-26 170M{} 558l26 170", stool + 40, stool + 130),
    );
    c.shape(p.cream, format_args!("M{} 440h70l-8 90h-54z", stool + 50));
    for head in 0..3 {
        let x = 110 + head * 130;
        c.circle(x, 690, 44, p.dark);
        c.ellipse(x, 820, 84, 90, p.dark);
    }
}

/// Horns in a crowded pub.
pub(super) fn brass(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.mid, p.far);
    c.rect(0, 0, WIDTH, 90, p.dark);
    for x in [60, 1000] {
        c.rounded(x, 150, 140, 180, 8, p.dark);
        c.rounded(x + 12, 162, 116, 156, 4, p.glow);
        c.rect(x + 66, 162, 8, 156, p.dark);
    }
    for lamp in 0..3 {
        c.lamp(300 + lamp * 300, 90, 40);
    }
    for (player, x) in (0..).zip([300, 600, 900]) {
        let x = x + c.random.between(-16, 16);
        let high = c.random.between(330, 370);
        let coat = [p.accent, p.dark, p.cream][player];
        c.shape(
            coat,
            format_args!("M{} 800V{}q0-90 96-90t96 90v400z", x - 96, high + 150),
        );
        c.circle(x, high, 48, p.dark);
        c.shape(
            p.accent,
            format_args!("M{} {}q50-70 100 0z", x - 50, high - 16),
        );
        c.at((x, high + 30), [24, -10, 16][player], |c| {
            c.line(p.glow, 20, "M10 0h200M60 0v70h110V0");
            c.shape(p.glow, "M190-12q90 0 130-70v164q-40-70-130-70z");
            c.line(p.dark, 10, "M84-6v-30M112-6v-30M140-6v-30");
        });
    }
    audience(c, p.dark);
}

/// A film on the wall of a lane, from a projector on a bicycle.
pub(super) fn lane_film(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.dark);
    c.rect(190, 60, 1010, 560, p.mid);
    for row in 0..9 {
        for column in 0..6 {
            if c.random.chance(5) {
                c.faint(50, |c| {
                    c.rect(
                        210 + column * 170 + row % 2 * 50,
                        76 + row * 60,
                        96,
                        28,
                        p.far,
                    );
                });
            }
        }
    }
    c.rect(0, 620, WIDTH, 180, p.dark);
    c.faint(22, |c| c.shape(p.glow, "M196 560L440 130h640v380z"));
    c.rect(440, 130, 640, 390, p.cream);
    c.shape(p.far, "M440 400l150-120 120 90 160-150 210 170v130H440z");
    c.circle(960, 220, 44, p.accent);
    for (x, fill) in [(620, p.dark), (740, p.accent)] {
        c.shape(fill, format_args!("M{} 520q0-140 60-140t60 140z", x - 60));
        c.circle(x, 350, 34, fill);
    }
    for x in [80, 300] {
        c.line(
            p.accent,
            9,
            format_args!("M{} 690a64 64 0 1 0 128 0a64 64 0 1 0-128 0", x - 64),
        );
    }
    c.line(
        p.accent,
        11,
        "M80 690l70-110h110l40 110M150 580l50 110 60-110M240 540h50",
    );
    c.rounded(90, 524, 110, 70, 10, p.cream);
    c.circle(204, 560, 26, p.glow);
    for seat in 0..5 {
        let x = 480 + seat * 140 + c.random.between(-16, 16);
        c.shape(p.far, format_args!("M{} 800q0-110 54-110t54 110z", x - 54));
        c.circle(x, 660, 34, p.far);
    }
}
