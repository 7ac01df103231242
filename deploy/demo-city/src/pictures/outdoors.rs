//! Parks and squares.

use super::{
    canvas::{Canvas, HEIGHT, WIDTH},
    shores::towers,
};

/// Trees, a pond and a path.
pub(super) fn park(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let (sun_x, sun_y) = (c.random.between(180, 1020), c.random.between(100, 166));
    c.circle(sun_x, sun_y, 78, p.glow);
    c.faint(55, |c| towers(c, p.far, 290, 390, 9, false));
    c.shape(p.far, "M0 470q220-110 470-40t410-30 320 30v370H0z");
    for _ in 0..7 {
        let x = c.random.between(0, 1200);
        let size = c.random.between(56, 84);
        c.tree(x, 500, size, p.mid, p.dark);
    }
    c.shape(p.mid, "M0 540q300-70 640-10t560-20v290H0z");
    let pond = c.random.between(420, 760);
    c.ellipse(pond, 640, 380, 84, p.sky);
    c.ellipse(pond + 30, 652, 330, 62, p.haze);
    for _ in 0..4 {
        let x = pond + c.random.between(-230, 230);
        let y = c.random.between(610, 690);
        c.faint(70, |c| c.rounded(x, y, 90, 6, 3, p.sky));
    }
    for duck in 0..c.random.between(1, 3) {
        let x = pond - 120 + duck * 84;
        c.shape(
            p.dark,
            format_args!("M{x} 640q6 26 40 26t44-34q-20 12-40 8-6-24-24-24-16 2-20 24z"),
        );
        c.circle(x + 4, 628, 15, p.dark);
        c.shape(p.accent, format_args!("M{} 624l-22 8 22 6z", x - 6));
    }
    c.shape(
        p.far,
        "M120 800q60-90 20-150t80-110l26 4q-110 60-60 110t60 146z",
    );
    for (from, to, size) in [(40, 170, 150), (1010, 1150, 178)] {
        let x = c.random.between(from, to);
        c.tree(x, 760, size, p.dark, p.dark);
        c.faint(60, |c| {
            c.circle(x - 20, 760 - size * 2 - 20, size / 3, p.mid);
        });
    }
    let bench = c.random.between(760, 860);
    c.rounded(bench, 690, 190, 16, 5, p.accent);
    c.rounded(bench, 650, 190, 14, 5, p.accent);
    c.line(
        p.dark,
        9,
        format_args!("M{} 650v110M{} 650v110", bench + 22, bench + 168),
    );
    c.shape(p.dark, "M0 800v-46q160-24 330 0t420 4 450-12v54z");
}

/// A square with its leaning tree and its fountain.
pub(super) fn square(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let mut x = -30;
    while x < WIDTH {
        let (wide, top) = (c.random.between(130, 200), c.random.between(150, 260));
        c.rect(x, top, wide - 6, 340, p.far);
        c.rect(x, 430, wide - 6, 70, p.mid);
        for pane in 0..2 {
            c.rounded(x + 20 + pane * 66, top + 40, 36, 60, 6, p.haze);
        }
        x += wide;
    }
    c.rect(0, 500, WIDTH, 300, p.cream);
    for row in 0..6 {
        c.faint(50, |c| c.rect(0, 520 + row * 50, WIDTH, 5, p.far));
    }
    c.line(p.dark, 44, "M880 700Q860 540 960 440T920 220");
    c.line(p.dark, 22, "M930 480l120-110");
    for (dx, dy, r) in [
        (900, 190, 130),
        (1040, 290, 110),
        (800, 290, 90),
        (960, 330, 90),
    ] {
        c.circle(dx, dy, r, p.mid);
    }
    let fountain = c.random.between(330, 430);
    c.at((fountain, 640), 0, |c| {
        c.ellipse(0, 40, 250, 60, p.dark);
        c.ellipse(0, 26, 230, 46, p.sky);
        c.rect(-24, -110, 48, 140, p.dark);
        c.ellipse(0, -110, 110, 24, p.dark);
        c.line(
            p.sky,
            12,
            "M0-120q-10-90-80-70t-70 190M0-120q10-90 80-70t70 190M0-120v-90",
        );
    });
    c.rounded(680, 700, 240, 20, 6, p.accent);
    c.rounded(680, 650, 240, 16, 6, p.accent);
    c.line(p.dark, 10, "M706 650v110M894 650v110");
    for _ in 0..4 {
        let (bx, by) = (c.random.between(80, 640), c.random.between(730, 780));
        c.shape(
            p.mid,
            format_args!("M{bx} {by}q10-30 40-20l20-8-8 16q-6 30-36 26z"),
        );
    }
}

/// A concert at a bandshell.
pub(super) fn bandshell(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    for tree in [70, 210, 1000, 1140] {
        c.tree(tree, 560, 110, p.mid, p.dark);
    }
    c.shape(p.dark, "M230 590V420q0-320 370-320t370 320v170z");
    for (ring, fill) in (0..).zip([p.cream, p.accent, p.cream, p.accent, p.dark]) {
        let r = 340 - ring * 58;
        c.shape(
            fill,
            format_args!(
                "M{} 590V{}a{r} {r} 0 0 1 {} 0v{}z",
                600 - r,
                450,
                r * 2,
                140
            ),
        );
    }
    c.rect(200, 580, 800, 50, p.dark);
    for (player, x) in (0..).zip([500, 600, 700]) {
        let coat = [p.accent, p.cream, p.glow][player];
        c.shape(coat, format_args!("M{} 584q0-110 34-110t34 110z", x - 34));
        c.circle(x, 450, 22, p.haze);
        c.line(p.glow, 9, format_args!("M{x} 500l54-24"));
    }
    c.rect(0, 630, WIDTH, 170, p.mid);
    for (row, y) in [(0, 690), (1, 760)] {
        for place in 0..9 {
            let x = 80 + place * 130 + row * 60 + c.random.between(-20, 20);
            let fill = c.random.pick(&[p.accent, p.dark, p.cream, p.far]);
            c.shape(
                fill,
                format_args!("M{} {}q0-70 44-70t44 70z", x - 44, y + 50),
            );
            c.circle(x, y - 40, 24, p.dark);
        }
    }
}

/// Stairs down a ravine, with their landings.
pub(super) fn stairs(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    c.shape(p.far, "M0 120q200 30 330 150t330 220 540 150v160H0z");
    for trunk in 0..8 {
        let x = 60 + trunk * 155 + c.random.between(-30, 30);
        let foot = 280 + trunk * 46;
        c.rect(x - 9, foot - 300, 18, 300, p.dark);
        c.circle(x, foot - 300, 80, p.mid);
    }
    c.shape(p.mid, "M0 330q160 40 270 150t330 190 600 60v70H0z");
    c.at((70, 110), 0, |c| {
        for flight in 0..3 {
            let (x, y) = (flight * 330, flight * 190);
            for step in 0..8 {
                c.rect(x + 90 + step * 30, y + step * 24, 60, 12, p.cream);
            }
            c.line(
                p.dark,
                12,
                format_args!(
                    "M{} {}l240 192M{} {}l240 192",
                    x + 92,
                    y - 70,
                    x + 92,
                    y + 26
                ),
            );
            c.rect(x, y - 4, 130, 22, p.dark);
            c.line(
                p.dark,
                10,
                format_args!(
                    "M{x} {}h100M{} {}v180M{} {}v140",
                    y - 70,
                    x + 6,
                    y - 70,
                    x + 96,
                    y - 70
                ),
            );
        }
        c.rect(990, 570, 160, 20, p.dark);
    });
    c.person(440, 296, p.accent);
    for leafy in 0..5 {
        let (x, y) = (40 + leafy * 130, 700 + c.random.between(-20, 40));
        c.circle(x, y + 40, 90, p.dark);
    }
}

/// People with lanterns on a path at night.
pub(super) fn lanterns(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.dark);
    let stars: Vec<_> = (0..16)
        .map(|_| (c.random.between(20, 1180), c.random.between(20, 250)))
        .collect();
    c.discs(4, p.cream, &stars);
    let moon = c.random.between(160, 1040);
    c.circle(moon, 130, 62, p.cream);
    c.shape(p.mid, "M0 400q240-90 500-40t700-30v470H0z");
    for pine in 0..9 {
        let x = pine * 150 + c.random.between(-30, 30);
        let high = c.random.between(110, 180);
        c.shape(p.mid, format_args!("M{x} {}l60 {high}h-120z", 400 - high));
    }
    c.shape(
        p.far,
        "M1200 470Q800 440 640 520T300 620 0 800h700q60-140 240-190t260-60z",
    );
    for walker in 0..6 {
        let x = 200 + walker * 160 + c.random.between(-20, 20);
        let foot = 790 - walker * 50;
        let coat = if walker % 2 == 0 { p.accent } else { p.sky };
        c.person(x, foot, coat);
        c.line(p.cream, 6, format_args!("M{} {}h54v30", x + 20, foot - 160));
        c.faint(25, |c| c.circle(x + 74, foot - 100, 76, p.glow));
        c.rounded(x + 50, foot - 130, 48, 62, 18, p.glow);
    }
    c.shape(p.dark, "M0 800v-90q60-40 110 0t90 90z");
}
