//! Bowls and pots.

use super::{
    canvas::{Canvas, WIDTH},
    tables::{leaf, slice, table_top},
};

/// A deep bowl with noodles and steam.
pub(super) fn bowl(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    // Cloth strips over the kitchen's opening.
    for strip in 0..5 {
        let x = 30 + strip * 230;
        let drop = c.random.between(150, 200);
        c.shape(p.accent, format_args!("M{x} 0h222v{drop}q-111 16-222 0z"));
        c.circle(x + 111, drop / 2 + 6, 40, p.cream);
        c.circle(
            x + 111,
            drop / 2 + 6,
            22,
            if strip % 2 == 0 { p.accent } else { p.mid },
        );
    }
    c.rect(0, 620, WIDTH, 180, p.mid);
    c.rect(0, 620, WIDTH, 16, p.dark);
    let x = c.random.between(500, 700);
    for wisp in 0..3 {
        let left = x - 130 + wisp * 120;
        c.faint(55, |c| {
            c.line(p.cream, 18, format_args!("M{left} 370q-46-50 0-100t0-80"));
        });
    }
    c.ellipse(x, 690, 260, 30, p.dark);
    c.shape(
        p.accent,
        format_args!("M{} 410h620q-10 190-190 270h-240q-180-80-190-270z", x - 310),
    );
    c.shape(p.cream, format_args!("M{} 470h588l-14 40h-560z", x - 294));
    c.ellipse(x, 412, 310, 78, p.cream);
    c.ellipse(x, 416, 280, 62, p.glow);
    for strand in 0..9 {
        let left = x - 220 + strand * 40;
        c.line(p.cream, 9, format_args!("M{left} 424q30-40 60 0t60-4"));
    }
    c.ellipse(x - 130, 402, 60, 34, p.cream);
    c.ellipse(x - 130, 402, 30, 18, p.accent);
    c.ellipse(x + 20, 392, 74, 26, p.far);
    c.shape(p.dark, format_args!("M{} 420l40-96 76 10-30 90z", x + 130));
    for dot in 0..8 {
        let (dx, dy) = (c.random.between(-200, 200), c.random.between(-24, 40));
        c.circle(
            x + dx,
            416 + dy,
            9,
            if dot % 2 == 0 { p.mid } else { p.accent },
        );
    }
    // Chopsticks lie beside the bowl: planted in food, they belong to a funeral rite.
    c.chopsticks((x, 748), 88);
    let cup = if x > 600 { 130 } else { 1040 };
    c.shape(p.accent, format_args!("M{} 540h120l-16 110h-88z", cup - 60));
    c.ellipse(cup, 540, 60, 14, p.cream);
}

/// A bowl of noodle soup, its chopsticks and herbs beside it.
pub(super) fn noodle_soup(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (500, 410);
    c.faint(25, |c| c.circle(x + 14, y + 22, 318, p.dark));
    for (r, fill) in [(312, p.accent), (286, p.cream), (256, p.glow)] {
        c.circle(x, y, r, fill);
    }
    for strand in 0..5 {
        let dy = strand * 26;
        c.line(
            p.cream,
            13,
            format_args!("M320 {}q70-60 140 0t140-6", y + dy - 6),
        );
    }
    for (dx, dy, turn) in [(-60, -150, 10), (30, -120, -16), (110, -70, 24)] {
        c.at((x + dx, y + dy), turn, |c| {
            c.rounded(-70, -34, 140, 68, 30, p.mid);
            c.faint(50, |c| c.line(p.cream, 8, "M-40-14q40 30 84 4"));
        });
    }
    for (dx, dy, turn) in [
        (-190, -50, 30),
        (-150, 60, -40),
        (120, 100, 10),
        (-40, 150, 70),
    ] {
        leaf(c, x + dx, y + dy, turn, p.mid);
    }
    c.discs(
        15,
        p.accent,
        &[(410, 330), (560, 560), (650, 470), (380, 470)],
    );
    slice(c, 640, 560, 48);
    c.chopsticks((880, 420), 6);
    c.circle(1060, 190, 118, p.cream);
    for turn in 0..5 {
        leaf(
            c,
            1040,
            200,
            turn * 72,
            if turn % 2 == 0 { p.mid } else { p.dark },
        );
    }
    c.circle(1060, 600, 84, p.dark);
    c.circle(1060, 600, 66, p.accent);
}

/// A bowl of leaves with its servers.
pub(super) fn salad(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (540, 400);
    c.faint(25, |c| c.circle(x + 14, y + 22, 330, p.dark));
    for (r, fill) in [(324, p.cream), (298, p.dark)] {
        c.circle(x, y, r, fill);
    }
    for index in 0..20 {
        let (turn, away) = (index * 137, 30 + index * 7);
        let fill = [p.mid, p.far, p.mid, p.glow][usize::try_from(index % 4).unwrap_or(0)];
        c.at((x, y), turn, |c| {
            c.shape(
                fill,
                format_args!("M{away} 0q10-70 70-64 80-8 70 54-20 70-80 60-60 0-60-50z"),
            );
            c.line(p.cream, 4, format_args!("M{} 0h80", away + 20));
        });
    }
    for spot in 0..6 {
        let (dx, dy) = (c.random.between(-170, 170), c.random.between(-170, 170));
        c.circle(x + dx, y + dy, 38, p.accent);
        c.circle(x + dx, y + dy, if spot % 2 == 0 { 30 } else { 12 }, p.cream);
    }
    for turn in [8, -10] {
        c.at((1000 + turn * 5, 410), turn, |c| {
            c.rounded(-14, -60, 28, 330, 14, p.dark);
            c.ellipse(0, -130, 46, 100, p.dark);
        });
    }
}

/// A hot stone bowl with its side dishes.
pub(super) fn stone_bowl(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (560, 420);
    c.faint(25, |c| c.circle(x + 14, y + 22, 292, p.dark));
    c.circle(x, y, 286, p.dark);
    c.circle(x, y, 240, p.cream);
    let first = c.random.between(0, 59);
    let toppings = [p.accent, p.mid, p.glow, p.far, p.accent, p.mid];
    for (wedge, fill) in (0..).zip(toppings) {
        c.at((x, y), first + wedge * 60, |c| {
            c.shape(fill, "M0-30L-104-196A224 224 0 0 1 104-196z");
            let line = if fill == p.mid { p.glow } else { p.dark };
            c.faint(50, |c| {
                c.line(line, 6, "M-60-180l30 50m10-60l14 64m36-60l-6 44");
            });
        });
    }
    c.circle(x, y, 92, p.cream);
    c.circle(x + 8, y - 4, 44, p.glow);
    for (at_x, at_y, fill) in [
        (150, 130, p.accent),
        (120, 420, p.mid),
        (190, 690, p.glow),
        (970, 130, p.cream),
    ] {
        c.circle(at_x, at_y, 96, p.cream);
        c.circle(at_x, at_y, 78, p.dark);
        c.circle(at_x, at_y, 62, fill);
        c.discs(
            9,
            p.haze,
            &[
                (at_x - 20, at_y - 10),
                (at_x + 20, at_y + 16),
                (at_x + 10, at_y - 30),
            ],
        );
    }
    c.chopsticks((1010, 500), 0);
    c.ellipse(1100, 350, 36, 54, p.far);
    c.rounded(1090, 390, 20, 310, 10, p.far);
}

/// A pot for everyone, with bread and a bowl beside it.
pub(super) fn soup(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (520, 400);
    for side in [-1, 1] {
        c.rounded(x - 60 + side * 326, y - 70, 120, 140, 46, p.dark);
        c.rounded(x - 24 + side * 340, y - 36, 48, 72, 20, p.far);
    }
    c.faint(25, |c| c.circle(x + 14, y + 22, 316, p.dark));
    for (r, fill) in [(310, p.dark), (284, p.mid), (262, p.accent)] {
        c.circle(x, y, r, fill);
    }
    c.faint(40, |c| c.circle(x - 30, y - 20, 200, p.glow));
    for piece in 0..11 {
        let (turn, away) = (piece * 137, 60 + piece * 14);
        c.at((x, y), turn, |c| match piece % 3 {
            0 => c.circle(away, 0, 38, p.cream),
            1 => c.rounded(away - 30, -24, 60, 48, 14, p.glow),
            _ => leaf(c, away - 30, 0, turn, p.mid),
        });
    }
    c.line(p.dark, 26, "M600 470L960 690");
    c.ellipse(590, 462, 84, 66, p.dark);
    c.ellipse(590, 462, 66, 50, p.glow);
    c.circle(1030, 240, 134, p.cream);
    c.circle(1030, 240, 104, p.accent);
    c.discs(15, p.cream, &[(1000, 210), (1060, 250), (1020, 290)]);
    for loaf in [0, 1] {
        c.at((1040 + loaf * 60, 470 + loaf * 74), 24 + loaf * 10, |c| {
            c.shape(p.glow, "M-90 40v-70q-20-60 90-60t90 60v70z");
            c.shape(p.cream, "M-72 28v-56q-16-44 72-44t72 44v56z");
        });
    }
}
