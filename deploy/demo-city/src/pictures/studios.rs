//! Galleries and studios.

use super::canvas::{Canvas, HEIGHT, WIDTH};

/// White walls with pictures on them.
pub(super) fn gallery(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.cream);
    c.shape(p.haze, "M0 0h250v590L0 690z");
    c.shape(p.far, "M0 690l250-100h950v210H0z");
    c.faint(40, |c| c.shape(p.cream, "M420 590h300l160 210H320z"));
    c.rect(250, 584, 950, 10, p.mid);
    for spot in 0..3 {
        let x = 400 + spot * 290;
        c.faint(35, |c| {
            c.shape(p.glow, format_args!("M{x} 40l-120 500h240z"));
        });
        c.rounded(x - 20, 22, 40, 34, 8, p.dark);
    }
    c.rect(250, 14, 950, 12, p.dark);
    let mut x = 300;
    for _ in 0..3 {
        let width = c.random.between(190, 270);
        let height = c.random.between(220, 340);
        let top = 300 - height / 2;
        c.faint(30, |c| c.rect(x + 10, top + 12, width, height, p.dark));
        c.rect(x, top, width, height, p.dark);
        painting(c, x + 10, top + 10, width - 20, height - 20);
        x += width + c.random.between(46, 70);
    }
    c.shape(p.dark, "M50 240l130 30v190L50 500z");
    c.shape(p.accent, "M62 258l106 26v166L62 482z");
    c.shape(p.glow, "M62 400q50-90 106-40v90L62 482z");
    c.rounded(560, 650, 300, 34, 10, p.dark);
    c.rect(590, 684, 18, 60, p.dark);
    c.rect(812, 684, 18, 60, p.dark);
    let visitor = c.random.between(330, 480);
    c.person(visitor, 720, p.accent);
    if c.random.chance(6) {
        c.person(visitor + 80, 730, p.mid);
    } else {
        c.person(visitor + 600, 726, p.mid);
    }
}

fn painting(c: &mut Canvas, x: i32, y: i32, wide: i32, high: i32) {
    let p = c.colours;
    let ground = c.random.pick(&[p.sky, p.far, p.glow]);
    c.rect(x, y, wide, high, ground);
    match c.random.between(0, 3) {
        0 => {
            c.circle(x + wide / 2, y + high / 3, wide / 4, p.accent);
            c.rect(x, y + high * 2 / 3, wide, high / 3, p.mid);
        }
        1 => {
            c.shape(p.accent, format_args!("M{x} {y}h{wide}l-{wide} {high}z"));
            c.circle(x + wide * 2 / 3, y + high * 2 / 3, wide / 5, p.mid);
        }
        2 => {
            for band in 0..4 {
                let fill = [p.mid, p.accent, p.sky, p.glow][usize::try_from(band).unwrap_or(0)];
                c.rect(x + band * wide / 4, y, wide / 8, high, fill);
            }
        }
        _ => {
            c.shape(
                p.mid,
                format_args!(
                    "M{x} {}q{} -{} {} 0t{} 0v{}h-{wide}z",
                    y + high / 2,
                    wide / 4,
                    high / 3,
                    wide / 2,
                    wide / 2,
                    high / 2
                ),
            );
            c.circle(x + wide / 4, y + high / 5, wide / 9, p.accent);
        }
    }
}

/// Sculptures on plinths.
pub(super) fn plinths(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.haze);
    c.faint(60, |c| c.shape(p.cream, "M0 0h420v620H0z"));
    c.surface(620, p.far, p.mid);
    let turn = c.random.pick(&[0, 1, 2]);
    for (index, (x, top)) in [(250, 470), (610, 400), (960, 500)].into_iter().enumerate() {
        c.faint(30, |c| {
            c.shape(p.glow, format_args!("M{x} 0l-130 {top}h260z"));
        });
        c.faint(25, |c| c.ellipse(x + 30, 730, 150, 22, p.dark));
        c.rect(x - 90, top, 180, 330, p.cream);
        c.faint(30, |c| c.rect(x + 40, top, 50, 330, p.mid));
        c.at((x, top), 0, |c| match (index + turn) % 3 {
            0 => {
                c.circle(0, -64, 64, p.accent);
                c.circle(14, -166, 44, p.mid);
                c.circle(-4, -236, 28, p.glow);
            }
            1 => {
                c.shape(
                    p.mid,
                    "M-100 0v-130a100 100 0 0 1 200 0V0H44v-130a44 44 0 0 0-88 0V0z",
                );
                c.circle(0, -140, 26, p.accent);
            }
            _ => {
                c.shape(p.dark, "M-60 0q-50-120 30-150T0-300q120 60 60 160t10 140z");
                c.circle(10, -180, 30, p.haze);
            }
        });
    }
    c.person(450, 760, p.accent);
    c.line(p.dark, 12, "M0 40H1200");
    for x in [250, 610, 960] {
        c.rounded(x - 20, 36, 40, 36, 8, p.dark);
    }
}

/// Prints drying on lines above a table with ink.
pub(super) fn prints(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.far, p.mid);
    for (line, y) in [(0, 70), (1, 330)] {
        c.line(p.dark, 6, format_args!("M0 {y}Q600 {} 1200 {y}", y + 50));
        for sheet in 0..5 - line {
            let x = 60 + line * 110 + sheet * 230;
            let (wide, high) = (170, c.random.between(196, 226));
            c.askew((x, y + 30), 3, |c| {
                c.rect(0, 0, wide, high, p.cream);
                painting(c, 16, 16, wide - 32, high - 60);
                c.rounded(20, -18, 14, 40, 4, p.accent);
                c.rounded(136, -18, 14, 40, 4, p.accent);
            });
        }
    }
    c.surface(640, p.dark, p.accent);
    for (x, fill) in [(150, p.accent), (330, p.glow), (900, p.mid)] {
        c.rect(x, 570, 110, 70, p.cream);
        c.ellipse(x + 55, 570, 55, 14, fill);
        c.rect(x, 594, 110, 22, fill);
    }
    c.at((640, 620), -8, |c| {
        c.rounded(-110, -34, 220, 56, 26, p.far);
        c.line(p.cream, 12, "M-110-6h-26v70h140v60");
    });
}

/// Pots above their left foot, with their widths.
const POTS: [(&str, i32); 4] = [
    ("M20 0q-40-70 6-110v-30h38v30q46 40 6 110z", 90),
    ("M0-50h100q0 40-28 50H28Q0-10 0-50z", 100),
    ("M24 0q-40-40-10-80h62q30 40-10 80z", 90),
    ("M14 0v-70l14-24v-36h24v36l14 24V0z", 80),
];

/// A potter's wheel in front of full shelves.
pub(super) fn pottery(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.haze);
    for shelf in [220, 410] {
        let mut x = 60;
        while x < 1060 {
            let (pot, wide) = c.random.pick(&POTS);
            let fill = c.random.pick(&[p.accent, p.mid, p.dark, p.glow]);
            c.at((x, shelf), 0, |c| c.shape(fill, pot));
            x += wide + c.random.between(24, 50);
        }
        c.rect(30, shelf, 1140, 16, p.dark);
    }
    c.surface(650, p.far, p.dark);
    c.shape(p.dark, "M420 620h360l-40 180H460z");
    c.ellipse(600, 610, 230, 36, p.mid);
    c.ellipse(600, 598, 210, 30, p.cream);
    c.shape(
        p.accent,
        "M450 440q150 40 300 0 10 120-80 160H530q-90-40-80-160z",
    );
    c.ellipse(600, 442, 150, 26, p.dark);
    c.faint(50, |c| {
        c.line(p.cream, 8, "M470 500q130 30 260 0M490 546q110 26 220 0");
    });
    // The potter's hands and sleeves.
    c.line(
        p.cream,
        60,
        "M240 780Q290 620 460 530M960 780Q910 620 740 530",
    );
    c.line(
        p.mid,
        62,
        "M240 790Q270 690 320 660M960 790Q930 690 880 660",
    );
}

/// Two easels and the person who sits for them.
pub(super) fn easel(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.sky);
    c.shape(p.haze, "M120 0h360v420H120z");
    c.line(p.cream, 14, "M120 0v420h360V0M300 0v420M120 200h360");
    c.surface(640, p.far, p.mid);
    c.ellipse(620, 700, 190, 30, p.mid);
    c.rect(560, 600, 120, 100, p.dark);
    c.shape(p.accent, "M530 620q-10-220 90-220t90 220q-90 40-180 0z");
    c.circle(620, 350, 52, p.dark);
    c.line(p.dark, 26, "M580 690l-30 60M660 690l30 60");
    for (x, turn, fill) in [(250, -4, p.accent), (990, 5, p.mid)] {
        c.at((x, 420), turn, |c| {
            c.line(p.dark, 18, "M0-220L-120 350M0-220L120 350M0-200v480");
            c.rounded(-150, -170, 300, 340, 6, p.dark);
            c.rect(-138, -158, 276, 316, p.cream);
            c.shape(fill, "M-70 120q-6-150 70-150t70 150z");
            c.circle(0, -70, 38, fill);
            c.rounded(-170, 166, 340, 22, 8, p.dark);
            c.discs(14, p.glow, &[(-120, 160), (-84, 160)]);
        });
    }
    let jar = c.random.between(420, 460);
    c.line(
        p.dark,
        8,
        format_args!("M{jar} 700l-20-90M{jar} 700v-100M{jar} 700l24-84"),
    );
    c.rounded(jar - 34, 670, 68, 80, 10, p.glow);
}

/// A sign painter on a ladder in front of a shop.
pub(super) fn signs(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.far);
    c.rect(90, 60, 1020, 660, p.dark);
    c.rect(60, 110, 1080, 190, p.mid);
    c.rect(60, 300, 1080, 16, p.glow);
    // Letters that a mirrored picture does not change.
    let letters = [
        "M0-60q-50 0-50 60t50 60 50-60-50-60z",
        "M-54 60L0-60L54 60M-30 16h60",
        "M-54-60h108M0-60V60",
        "M-60 60v-120l60 80 60-80v120",
    ];
    let first = c.random.pick(&[0, 1, 2, 3]);
    for place in 0..4 {
        let at = (250 + i32::try_from(place).unwrap_or(0) * 150, 204);
        c.at(at, 0, |c| c.line(p.glow, 26, letters[(place + first) % 4]));
    }
    c.faint(45, |c| c.line(p.cream, 5, "M790 144h280M790 264h280"));
    c.rect(130, 360, 440, 290, p.glow);
    c.rect(345, 360, 10, 290, p.dark);
    c.rounded(640, 360, 190, 360, 6, p.accent);
    c.rounded(664, 384, 142, 170, 4, p.glow);
    c.rect(0, 720, WIDTH, 80, p.mid);
    c.line(
        p.cream,
        14,
        "M880 790L960 330M1060 790L1000 330M896 700h150M912 610h122M928 520h96M942 430h70",
    );
    c.line(p.cream, 20, "M950 350l-100-90");
    c.line(p.dark, 26, "M940 560v-80M990 560v-80");
    c.shape(p.cream, "M910 500q-6-190 60-190t60 190z");
    c.circle(970, 276, 40, p.dark);
    c.shape(p.accent, "M926 268q44-60 88 0z");
    c.line(p.accent, 10, "M858 268l-40-40");
    c.rounded(1050, 470, 64, 60, 6, p.accent);
}
