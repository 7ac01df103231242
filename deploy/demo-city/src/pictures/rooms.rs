//! Scenes indoors: counters, bars, halls and galleries.

use super::canvas::{Canvas, HEIGHT, WIDTH};

/// A coffee counter with its machine.
pub(super) fn counter(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.haze);
    for tile in 0..20 {
        c.faint(50, |c| c.rect(tile * 62, 0, 4, 520, p.sky));
    }
    for row in 0..7 {
        c.faint(50, |c| c.rect(0, row * 74, WIDTH, 4, p.sky));
    }
    for shelf in [190, 330] {
        c.rect(90, shelf, 480, 16, p.dark);
        let mut x = 110;
        while x < 520 {
            let colours = c.colours.mixed();
            let fill = c.random.pick(&colours);
            let (wide, high) = (c.random.between(40, 60), c.random.between(44, 92));
            if c.random.chance(5) {
                c.rounded(x, shelf - 50, wide, 50, 12, fill);
                c.line(
                    fill,
                    8,
                    format_args!("M{} {}q26 4 0 28", x + wide, shelf - 40),
                );
            } else {
                c.rounded(x, shelf - high, wide, high, 6, fill);
                c.rect(x + 8, shelf - high * 2 / 3, wide - 16, high / 3, p.cream);
            }
            x += wide + c.random.between(22, 40);
        }
    }
    let machine = c.random.between(640, 720);
    c.rounded(machine, 250, 430, 90, 20, p.accent);
    c.rect(machine + 24, 330, 382, 150, p.dark);
    c.rounded(machine + 10, 440, 410, 90, 12, p.accent);
    c.rect(machine + 10, 470, 410, 12, p.cream);
    for group in 0..2 {
        let x = machine + 90 + group * 180;
        c.rounded(x, 336, 80, 30, 8, p.far);
        c.line(p.far, 14, format_args!("M{} 366h-60", x + 40));
        c.rounded(x + 14, 394, 52, 46, 10, p.cream);
    }
    for cup in 0..6 {
        c.rounded(
            machine + 30 + cup * 64,
            210,
            50,
            40,
            10,
            if cup % 2 == 0 { p.cream } else { p.glow },
        );
    }
    c.circle(machine + 215, 295, 24, p.cream);
    c.line(p.accent, 5, format_args!("M{} 295l12-12", machine + 215));
    c.rect(0, 520, WIDTH, 40, p.dark);
    c.rect(0, 560, WIDTH, 240, p.mid);
    for panel in 0..8 {
        c.faint(35, |c| {
            c.rounded(24 + panel * 150, 590, 124, 190, 8, p.dark);
        });
    }
    let cup = c.random.between(170, 420);
    c.shape(
        p.accent,
        format_args!("M{} 430h150q0 78-60 78h-30q-60 0-60-78z", cup - 75),
    );
    c.line(p.accent, 14, format_args!("M{} 446q50 6 10 44", cup + 72));
    c.ellipse(cup, 512, 110, 14, p.glow);
    c.faint(70, |c| {
        c.line(
            p.far,
            10,
            format_args!("M{} 410q-24-28 0-56M{} 410q-24-28 0-56", cup - 20, cup + 24),
        );
    });
    for lamp in 0..3 {
        let drop = c.random.between(60, 110);
        c.lamp(260 + lamp * 340, drop, 54);
    }
}

/// Bottles on lit shelves behind a bar.
pub(super) fn bottles(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.dark);
    let arched = c.random.chance(5);
    if arched {
        for bay in 0..3 {
            let x = 60 + bay * 370;
            c.shape(p.mid, format_args!("M{x} 620V220a170 170 0 0 1 340 0v400z"));
            c.faint(40, |c| c.ellipse(x + 170, 300, 130, 190, p.glow));
        }
    } else {
        c.rect(50, 60, 1100, 560, p.mid);
        c.faint(35, |c| c.rect(90, 90, 1020, 500, p.glow));
    }
    for shelf in [250, 430, 610] {
        let (from, to) = if arched && shelf == 250 {
            (110, 1090)
        } else {
            (80, 1100)
        };
        let mut x = from;
        while x < to {
            let tall = c.random.between(92, 148);
            let wide = c.random.between(36, 56);
            let colours = [p.accent, p.far, p.sky, p.cream, p.glow, p.accent];
            let fill = c.random.pick(&colours);
            c.bottle(x, shelf, (wide, tall), fill);
            if c.random.chance(5) {
                let paper = if fill == p.cream { p.accent } else { p.cream };
                c.rect(x + 5, shelf - tall / 2, wide - 10, 26, paper);
            }
            x += wide + c.random.between(20, 42);
        }
        c.rect(40, shelf, 1120, 14, p.dark);
    }
    c.rect(0, 640, WIDTH, 160, p.far);
    c.rect(0, 640, WIDTH, 22, p.cream);
    let drinks = c.random.between(2, 3);
    for drink in 0..drinks {
        let x = 330 + drink * 300 + c.random.between(-60, 60);
        let liquid = [p.accent, p.glow, p.mid][usize::try_from(drink).unwrap_or(0)];
        if c.random.chance(5) {
            c.shape(
                p.cream,
                format_args!(
                    "M{} 480h170q-8 96-78 104v110h52v16h-118v-16h52V584q-70-8-78-104z",
                    x - 85
                ),
            );
            c.shape(
                liquid,
                format_args!("M{} 500h154q-12 66-77 70-65-4-77-70z", x - 77),
            );
            c.circle(x + 60, 476, 24, p.accent);
        } else {
            c.rounded(x - 58, 560, 116, 150, 14, p.cream);
            c.rounded(x - 48, 604, 96, 98, 10, liquid);
            c.rounded(x - 36, 588, 44, 44, 8, p.sky);
            c.rounded(x + 2, 600, 40, 40, 8, p.cream);
        }
    }
}

/// Stalls under timber trusses.
pub(super) fn hall(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    c.shape(p.mid, "M0 0h1200v300L600 40 0 300z");
    for light in 0..6 {
        let x = 240 + light * 130;
        c.faint(60, |c| c.rounded(x, 220, 76, 90, 6, p.cream));
    }
    c.line(p.dark, 20, "M0 300L600 40l600 260M130 250h940M600 50v200M360 150v100M840 150v100M360 250l240-140 240 140");
    for post in [40, 1140] {
        c.rect(post, 250, 26, 400, p.dark);
    }
    let awnings = [p.accent, p.mid, p.glow, p.far];
    let offset = c.random.between(0, 3);
    for stall in 0..4 {
        let x = 86 + stall * 262;
        let fill = awnings[usize::try_from((stall + offset) % 4).unwrap_or(0)];
        c.rect(x, 360, 240, 270, p.dark);
        c.rect(x + 12, 420, 216, 110, p.glow);
        let cook = x + c.random.between(60, 180);
        c.circle(cook, 462, 26, p.mid);
        c.shape(
            p.accent,
            format_args!("M{} 530q0-50 40-50t40 50z", cook - 40),
        );
        c.rect(x, 530, 240, 100, p.far);
        for stripe in 0..6 {
            c.shape(
                if stripe % 2 == 0 { fill } else { p.cream },
                format_args!("M{} 360h40v56a20 20 0 0 1-40 0z", x + stripe * 40),
            );
        }
        let dish = c.random.between(20, 140);
        c.rounded(x + dish, 506, 70, 24, 10, p.cream);
    }
    c.rect(0, 630, WIDTH, 170, p.mid);
    for lamp in 0..3 {
        let drop = c.random.between(210, 260);
        c.lamp(300 + lamp * 300, drop, 46);
    }
    for table in 0..2 {
        let x = 70 + table * 580;
        c.rounded(x, 690, 500, 26, 8, p.dark);
        c.line(
            p.dark,
            14,
            format_args!("M{} 716v84M{} 716v84", x + 60, x + 440),
        );
        for place in 0..3 {
            let seat = x + 110 + place * 140;
            c.rounded(seat - 30, 672, 60, 18, 9, p.cream);
            c.circle(seat + 50, 674, 12, p.accent);
        }
    }
}

/// Loaves and buns behind glass.
pub(super) fn bakery(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.sky);
    c.rounded(70, 70, 1060, 600, 30, p.dark);
    c.rect(100, 100, 1000, 540, p.far);
    c.faint(30, |c| c.rect(100, 100, 1000, 130, p.glow));
    for (row, shelf) in (0..).zip([300, 470, 630]) {
        let mut x = 130 + row * 14;
        while x < 980 {
            let (crust, score) =
                c.random
                    .pick(&[(p.glow, p.mid), (p.cream, p.mid), (p.dark, p.cream)]);
            match c.random.between(0, 2) {
                0 => {
                    c.shape(
                        crust,
                        format_args!("M{x} {shelf}v-40q10-56 75-56t75 56v40z"),
                    );
                    c.line(
                        score,
                        7,
                        format_args!("M{} {}l24-34m14 40l24-40m14 40l20-34", x + 24, shelf - 42),
                    );
                    x += 172;
                }
                1 => {
                    c.circle(x + 52, shelf - 50, 52, crust);
                    c.line(
                        score,
                        6,
                        format_args!("M{} {}q34-30 50 6t-34 24-18-24", x + 26, shelf - 54),
                    );
                    x += 124;
                }
                _ => {
                    c.shape(
                        crust,
                        format_args!(
                            "M{x} {}q60-70 120 0-14 26-40 6-20 16-40 0-26 20-40-6z",
                            shelf - 14
                        ),
                    );
                    c.line(
                        score,
                        5,
                        format_args!("M{} {}l8-24m26 24v-28m28 28l-8-24", x + 32, shelf - 28),
                    );
                    x += 142;
                }
            }
        }
        c.rect(100, shelf, 1000, 16, p.dark);
    }
    c.faint(12, |c| c.shape(p.cream, "M220 100h150L170 640H100V424z"));
    c.rect(0, 670, WIDTH, 130, p.mid);
    c.rect(0, 670, WIDTH, 18, p.cream);
    let tag = c.random.between(760, 900);
    c.rounded(tag, 706, 240, 64, 12, p.accent);
    c.rounded(tag + 28, 728, 150, 12, 6, p.cream);
    c.rounded(tag + 28, 748, 90, 8, 4, p.cream);
}

/// A brick oven, and the baker who fills it.
pub(super) fn oven(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.far);
    c.bricks((150, 80), p.mid);
    c.shape(p.dark, "M220 600V390q0-230 300-230t300 230v210z");
    c.shape(p.accent, "M260 600V400q0-190 260-190t260 190v200z");
    c.shape(p.dark, "M290 600V410q0-160 230-160t230 160v190z");
    c.shapes(&[
        (
            p.accent,
            "M330 590q-10-90 40-150 0 50 30 60 0-80 40-110-4 80 40 130t-10 70z",
        ),
        (p.glow, "M370 590q-10-60 40-90 40 40 20 90z"),
    ]);
    c.rect(200, 590, 640, 40, p.cream);
    let first = c.random.between(500, 530);
    for loaf in 0..2 {
        let x = first + loaf * 124;
        c.shape(p.glow, format_args!("M{x} 588q0-70 56-70t56 70z"));
        c.line(
            p.dark,
            6,
            format_args!("M{} 560l16-22m12 22l16-22m12 22l16-22", x + 22),
        );
    }
    c.surface(690, p.dark, p.cream);
    for (dough, x) in [(70, 110), (60, 300), (66, 470)] {
        c.shape(
            p.cream,
            format_args!(
                "M{} 690q0-{dough} {dough}-{dough}t{dough} {dough}z",
                x - dough
            ),
        );
    }
    c.line(p.glow, 20, "M1060 520L700 584");
    c.line(p.cream, 44, "M950 440L860 550");
    c.shape(p.cream, "M900 690V480q0-90 100-90t100 90v210z");
    c.shape(p.accent, "M930 690V520h140v170z");
    c.circle(1000, 310, 60, p.dark);
    c.shape(p.cream, "M936 290q-26-100 64-100t64 100z");
}

/// Two loudspeakers and a record that turns.
pub(super) fn records(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    for ring in 0..5 {
        c.faint(24, |c| {
            c.circle(
                600,
                330,
                520 - ring * 96,
                if ring % 2 == 0 { p.far } else { p.sky },
            );
        });
    }
    c.rect(0, 600, WIDTH, 200, p.mid);
    for row in 0..2 {
        let mut x = 20;
        while x < WIDTH {
            let wide = c.random.between(18, 40);
            let colours = c.colours.mixed();
            let fill = c.random.pick(&colours);
            c.rect(x, 622 + row * 92, wide, 78, fill);
            x += wide + 4;
        }
        c.rect(0, 700 + row * 92, WIDTH, 12, p.dark);
    }
    for x in [90, 850] {
        c.rounded(x, 110, 260, 490, 18, p.dark);
        c.circle(x + 130, 210, 58, p.far);
        c.circle(x + 130, 210, 26, p.dark);
        c.circle(x + 130, 430, 110, p.far);
        c.circle(x + 130, 430, 86, p.mid);
        c.circle(x + 130, 430, 34, p.accent);
    }
    c.rounded(380, 510, 440, 90, 14, p.cream);
    c.ellipse(580, 506, 190, 40, p.dark);
    c.ellipse(580, 500, 180, 36, p.mid);
    c.ellipse(580, 498, 160, 31, p.dark);
    c.ellipse(580, 496, 58, 12, p.accent);
    c.line(p.glow, 10, "M790 470q-20-30-60-10l-60 30");
    for lamp in 0..2 {
        let drop = c.random.between(60, 120);
        c.lamp(460 + lamp * 280, drop, 50);
    }
    for knob in 0..3 {
        c.circle(
            700 + knob * 40,
            560,
            12,
            if knob == 0 { p.accent } else { p.dark },
        );
    }
}
