//! Rooms full of shelves, jars, books or machines.

use super::{
    canvas::{Canvas, HEIGHT, WIDTH},
    tables::leaf,
};

/// A potted plant's leaves, which grow from their origin.
const LEAVES: &str = "q-44-70 0-160 44 90 0 160q-80-40-100-130 90 40 100 130q80-40 100-130-90 40-100 130q-70-10-150-50 80-20 150 50q70-10 150-50-80-20-150 50z";

/// Shelves of books, with a ladder and an armchair.
pub(super) fn bookshop(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.far);
    c.rect(40, 30, 1120, 610, p.dark);
    for shelf in [180, 330, 480, 630] {
        let mut x = 56;
        while x < 1110 {
            let (wide, high) = (c.random.between(24, 46), c.random.between(84, 124));
            let fill = c.random.pick(&[p.accent, p.mid, p.glow, p.cream, p.far]);
            c.rect(x, shelf - high, wide, high, fill);
            x += wide + if c.random.chance(1) { 44 } else { 4 };
        }
        c.rect(40, shelf, 1120, 14, p.mid);
    }
    c.rect(0, 660, WIDTH, 140, p.mid);
    c.line(
        p.cream,
        16,
        "M250 720L350 60M350 720L450 60M274 600h96M296 460h96M318 320h96M340 180h96",
    );
    c.ellipse(860, 740, 250, 24, p.dark);
    c.shapes(&[
        (p.accent, "M720 560q0-150 140-150t140 150v110H720z"),
        (p.accent, "M680 560q60-20 60 60v110h-60q-30-100 0-170zM1040 560q-60-20-60 60v110h60q30-100 0-170z"),
    ]);
    c.faint(25, |c| c.rounded(740, 610, 240, 50, 20, p.dark));
    c.at((860, 596), -8, |c| {
        c.shape(
            p.cream,
            "M0 0q-50-30-90 0v-60q40-30 90 0 50-30 90 0V0q-40-30-90 0z",
        );
    });
    c.lamp(600, 90, 54);
}

/// A wall of washing machines.
pub(super) fn laundromat(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.haze);
    c.rect(0, 0, WIDTH, 100, p.accent);
    for lamp in 0..3 {
        c.rounded(90 + lamp * 380, 36, 260, 26, 13, p.cream);
    }
    for machine in 0..8 {
        let (x, y) = (30 + machine % 4 * 288, 130 + machine / 4 * 266);
        c.rounded(x, y, 276, 256, 14, p.cream);
        c.rect(x, y + 40, 276, 6, p.far);
        c.rounded(x + 18, y + 12, 90, 18, 8, p.mid);
        c.circle(x + 240, y + 22, 12, p.accent);
        for (r, fill) in [(92, p.dark), (76, p.sky)] {
            c.circle(x + 138, y + 148, r, fill);
        }
        let turn = c.random.between(0, 359);
        c.at((x + 138, y + 148), turn, |c| {
            c.shape(p.mid, "M-70 10q30-50 70-10t70 0q0 60-70 66t-70-56z");
            c.shape(p.accent, "M-50 40q40-30 60 0t40 0q-20 34-50 36t-50-36z");
        });
    }
    c.surface(670, p.mid, p.dark);
    c.shape(p.glow, "M120 610h220l-30 150H150z");
    c.discs(36, p.cream, &[(160, 600), (220, 586), (290, 600)]);
    c.line(
        p.dark,
        7,
        "M136 660h190M146 710h172M190 614v140M270 614v140",
    );
    let reader = c.random.between(800, 940);
    c.rounded(reader - 130, 690, 300, 22, 8, p.dark);
    c.person(reader, 780, p.accent);
}

/// Jars of leaves behind a counter with a scale.
pub(super) fn jars(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.mid);
    for shelf in [210, 400] {
        for jar in 0..7 {
            let x = 90 + jar * 150;
            let full = c.random.between(50, 90);
            c.rounded(x, shelf - 126, 104, 126, 18, p.cream);
            c.rounded(
                x + 8,
                shelf - full - 8,
                88,
                full,
                12,
                if jar % 3 == 1 { p.far } else { p.dark },
            );
            c.rounded(x + 12, shelf - 146, 80, 26, 8, p.accent);
            c.rounded(x + 30, shelf - 76, 44, 40, 4, p.glow);
        }
        c.rect(50, shelf, 1100, 16, p.dark);
    }
    c.surface(600, p.dark, p.accent);
    c.rounded(150, 560, 220, 40, 8, p.cream);
    c.rect(250, 500, 20, 64, p.cream);
    c.ellipse(260, 496, 120, 16, p.glow);
    for turn in [-150, -90, -30] {
        leaf(c, 260, 486, turn, p.far);
    }
    c.shape(p.accent, "M790 500h140l-16 100H806z");
    c.shape(p.far, format_args!("M860 500{LEAVES}"));
    for panel in 0..5 {
        c.faint(50, |c| c.rounded(30 + panel * 232, 640, 212, 140, 8, p.mid));
    }
}

/// The two leaves of a sprout.
const SPROUT: &str = "q-30-50-76-30 26 50 76 30q30-50 76-30-26 50-76 30z";

/// Seed packets, pencils and sprouts.
pub(super) fn seeds(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.haze, p.sky);
    c.rect(70, 40, 1060, 400, p.dark);
    for packet in 0..10 {
        let (x, y) = (100 + packet % 5 * 206, 66 + packet / 5 * 186);
        let fill = c.random.pick(&[p.accent, p.glow, p.mid]);
        c.rounded(x, y, 176, 164, 6, p.cream);
        c.rect(x, y, 176, 30, fill);
        let (from, fruit) = ((x + 88, y + 100), if fill == p.mid { p.glow } else { fill });
        if packet % 2 == 0 {
            c.circle(from.0, from.1 + 6, 40, fruit);
            c.shape(p.dark, format_args!("M{} {}{SPROUT}", from.0, from.1 - 30));
        } else {
            c.at(from, 30, |c| c.shape(fruit, "M-24-40q24-30 48 0L0 70z"));
            leaf(c, from.0 + 20, from.1 - 40, -70, p.dark);
        }
    }
    c.surface(600, p.mid, p.dark);
    for pot in 0..5 {
        let x = 150 + pot * 190;
        let high = c.random.between(50, 110);
        c.line(p.dark, 9, format_args!("M{x} 620v-{high}"));
        c.shape(p.dark, format_args!("M{x} {}{SPROUT}", 620 - high));
        c.shape(p.accent, format_args!("M{} 610h120l-18 120h-84z", x - 60));
        c.rounded(x - 66, 596, 132, 28, 8, p.accent);
    }
    c.askew((1090, 720), 20, |c| {
        c.rounded(-80, -12, 150, 24, 4, p.glow);
        c.shape(p.cream, "M70-12l40 12-40 12z");
    });
}

/// Rows of plants under glass.
pub(super) fn greenhouse(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    c.faint(60, |c| c.shape(p.cream, "M0 330L600 40l600 290v300H0z"));
    c.line(p.dark, 14, "M0 330L600 40l600 290M0 330h1200M600 40v590");
    for pane in 1..6 {
        c.line(
            p.dark,
            7,
            format_args!("M{0} 330v300M{0} 330L600 40", pane * 200),
        );
    }
    for lamp in [300, 900] {
        c.lamp(lamp, 250, 50);
    }
    for (bench, foot) in [(0, 520), (1, 690)] {
        for plant in 0..6 - bench {
            let x = 120 + plant * 196 + bench * 90;
            let fill = if plant % 2 == 0 { p.mid } else { p.dark };
            c.shape(fill, format_args!("M{x} {}{LEAVES}", foot - 60));
            c.shape(
                p.accent,
                format_args!("M{} {}h96l-14 70h-68z", x - 48, foot - 70),
            );
        }
        c.rect(0, foot, WIDTH, 22, p.dark);
    }
    c.rect(0, 712, WIDTH, 88, p.far);
}

/// A corner of a pub, with its fire.
pub(super) fn snug(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.mid);
    for panel in 0..7 {
        c.faint(45, |c| {
            c.rounded(18 + panel * 172, 380, 150, 250, 6, p.dark);
        });
    }
    for (r, fill) in [
        (106, p.dark),
        (88, p.cream),
        (60, p.accent),
        (36, p.cream),
        (14, p.accent),
    ] {
        c.circle(190, 190, r, fill);
    }
    c.line(p.accent, 6, "M206 176l60-30M180 204l70 40");
    c.rounded(960, 90, 170, 210, 8, p.dark);
    c.rect(976, 106, 138, 178, p.glow);
    c.line(p.dark, 8, "M976 195h138M1045 106v178");
    c.rect(400, 250, 400, 420, p.far);
    c.rect(370, 226, 460, 36, p.dark);
    c.shape(p.dark, "M470 670V420q0-80 130-80t130 80v250z");
    c.faint(35, |c| c.circle(600, 580, 190, p.glow));
    c.shapes(&[
        (
            p.accent,
            "M500 660q-20-110 60-170-10 60 40 60 0-90 60-130-10 90 50 130t-10 110z",
        ),
        (p.glow, "M550 660q-10-70 50-110 60 40 50 110z"),
    ]);
    for bottle in 0..4 {
        let x = 410 + bottle * 100;
        let fill = c.random.pick(&[p.accent, p.glow, p.cream]);
        c.bottle(x, 226, (36, 110), fill);
    }
    c.surface(670, p.far, p.dark);
    for (x, back) in [(180, 80), (1020, 1000)] {
        c.rounded(back, 430, 120, 300, 40, p.accent);
        c.rounded(x - 110, 580, 220, 120, 34, p.accent);
        c.line(
            p.dark,
            16,
            format_args!("M{} 700v60M{} 700v60", x - 80, x + 80),
        );
    }
    c.ellipse(850, 620, 90, 16, p.dark);
    c.rect(842, 620, 16, 140, p.dark);
    c.shape(p.glow, "M820 530h62l-8 88h-46z");
    c.rounded(814, 512, 74, 28, 12, p.cream);
}
