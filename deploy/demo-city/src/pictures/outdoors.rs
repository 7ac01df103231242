//! Scenes under a wide sky: the lake and the parks.

use super::canvas::{Canvas, HEIGHT, WIDTH};

/// The towers behind the harbour.
pub(super) fn skyline(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let tower = c.random.between(420, 780);
    let sun_x = tower + c.random.pick(&[-260, -190, 210, 270]);
    let sun_y = c.random.between(240, 400);
    let sun = c.random.between(90, 130);
    c.circle(sun_x, sun_y, sun, p.glow);
    towers(c, p.far, 330, 470, 10, false);
    // The shaft, the pod and the mast of the CN Tower.
    c.shape(
        p.mid,
        format_args!(
            "M{} 560L{} 250h12L{} 560z",
            tower - 24,
            tower - 6,
            tower + 24
        ),
    );
    c.rect(tower - 3, 92, 6, 170, p.mid);
    c.rounded(tower - 38, 236, 76, 34, 15, p.mid);
    c.rounded(tower - 26, 222, 52, 16, 7, p.accent);
    c.rounded(tower - 13, 176, 26, 12, 6, p.mid);
    towers(c, p.mid, 400, 540, 8, true);
    let shore = 575;
    c.rect(0, shore, WIDTH, HEIGHT - shore, p.far);
    c.rect(0, shore, WIDTH, 12, p.dark);
    for row in 0..9 {
        let y = shore + 26 + row * 22;
        let width = c.random.between(60, 300);
        let x = c.random.between(0, WIDTH - width);
        let colour = c.random.pick(&[p.haze, p.glow, p.mid, p.mid]);
        c.faint(60, |c| c.rounded(x, y, width, 7, 3, colour));
    }
    c.faint(50, |c| {
        c.shape(
            p.glow,
            format_args!("M{} 590h130l40 210H{}z", sun_x - 65, sun_x - 105),
        );
    });
    let boat = c.random.between(180, 900);
    if c.random.chance(5) {
        c.shape(p.dark, format_args!("M{boat} 690h150l-24 34h-100z"));
        c.shape(p.cream, format_args!("M{} 680V520l84 160z", boat + 70));
        c.shape(p.accent, format_args!("M{} 680V550l-52 130z", boat + 62));
    } else {
        // The island ferry.
        c.shape(p.dark, format_args!("M{boat} 680h260l-30 42h-200z"));
        c.rounded(boat + 34, 632, 190, 48, 8, p.cream);
        c.rounded(boat + 70, 598, 110, 36, 8, p.cream);
        c.rect(boat + 48, 648, 160, 14, p.mid);
        c.rect(boat + 128, 562, 26, 38, p.accent);
    }
    c.shape(
        p.dark,
        "M0 800V752q90-34 200-8t230 10 260 4 240-14 270 12v44z",
    );
}

fn towers(c: &mut Canvas, fill: &str, high: i32, low: i32, count: i32, lit: bool) {
    let step = WIDTH / count;
    for index in 0..count {
        let x = index * step + c.random.between(-12, 12);
        let width = c.random.between(step * 6 / 10, step - 4);
        let top = c.random.between(high, low);
        match c.random.between(0, 3) {
            0 => c.shape(fill, format_args!("M{x} 590V{top}l{width} -40V590z")),
            1 => {
                c.rect(x + width / 3, top - 36, width / 3, 40, fill);
                c.rect(x, top, width, 590 - top, fill);
            }
            _ => c.rect(x, top, width, 590 - top, fill),
        }
        if lit {
            let glow = c.colours.glow;
            for _ in 0..3 {
                let wx = x + c.random.between(10, (width - 24).max(11));
                let wy = c.random.between(top + 16, 545);
                c.rect(wx, wy, 12, 16, glow);
            }
        }
    }
}

/// Trees, a pond and a path.
pub(super) fn park(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let (sun_x, sun_y) = (c.random.between(180, 1020), c.random.between(130, 220));
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
            p.cream,
            format_args!("M{x} 640q6 26 40 26t44-34q-20 12-40 8-6-24-24-24-16 2-20 24z"),
        );
        c.circle(x + 4, 628, 15, p.cream);
        c.shape(p.accent, format_args!("M{} 624l-22 8 22 6z", x - 6));
    }
    c.shape(
        p.cream,
        "M120 800q60-90 20-150t80-110l26 4q-110 60-60 110t60 146z",
    );
    for (from, to, size) in [(40, 170, 150), (1010, 1150, 178)] {
        let x = c.random.between(from, to);
        c.tree(x, 760, size, p.dark, p.dark);
        c.faint(60, |c| {
            c.circle(x - 20, 760 - size * 2 - 20, size / 3, p.mid)
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

/// The beach in the east end.
pub(super) fn beach(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let (sun_x, sun) = (c.random.between(260, 980), c.random.between(90, 120));
    c.circle(sun_x, 250, sun, p.glow);
    c.rect(0, 350, WIDTH, 230, p.far);
    for row in 0..8 {
        let width = c.random.between(120, 420);
        let x = c.random.between(-60, 1000);
        let colour = c.random.pick(&[p.haze, p.mid, p.cream]);
        c.faint(55, |c| c.rounded(x, 370 + row * 24, width, 8, 4, colour));
    }
    for boat in 0..c.random.between(2, 4) {
        let x = 120 + boat * 280 + c.random.between(-60, 60);
        let y = 372 + c.random.between(0, 50);
        c.shape(p.cream, format_args!("M{x} {y}v-96l58 96z"));
        c.shape(p.accent, format_args!("M{} {y}v-70l-34 70z", x - 6));
        c.shape(
            p.dark,
            format_args!("M{} {}h100l-16 18h-66z", x - 40, y + 5),
        );
    }
    c.shape(p.glow, "M0 580q200-46 430-12t420-14 350 20v226H0z");
    c.shape(p.cream, "M0 640q260-50 560-14t640-26v200H0z");
    // The lifeguards' station.
    let hut = c.random.between(700, 900);
    c.line(
        p.dark,
        14,
        format_args!("M{} 600l-30 130M{} 600l30 130", hut + 20, hut + 200),
    );
    c.rect(hut - 10, 590, 240, 20, p.dark);
    c.rect(hut + 10, 450, 200, 140, p.cream);
    c.rect(hut + 10, 450, 200, 44, p.accent);
    c.rounded(hut + 70, 512, 84, 60, 6, p.mid);
    c.shape(p.dark, format_args!("M{} 454l120-70 120 70z", hut - 10));
    c.line(p.dark, 6, format_args!("M{0} 390v-86", hut + 110));
    c.shape(
        p.accent,
        format_args!("M{} 304h76l-20 22 20 22h-76z", hut + 112),
    );
    let umbrella = c.random.between(180, 480);
    c.line(p.dark, 10, format_args!("M{umbrella} 560l30 170"));
    c.shape(
        p.accent,
        format_args!("M{} 598a170 150 0 0 1 320-60z", umbrella - 168),
    );
    c.shape(
        p.cream,
        format_args!("M{} 582q-10-120 84-134 84 20 96 84z", umbrella - 70),
    );
    c.rounded(umbrella + 70, 706, 180, 24, 10, p.mid);
    c.rect(0, 744, WIDTH, 56, p.mid);
    for plank in 0..16 {
        c.rect(plank * 78 + 20, 744, 5, 56, p.dark);
    }
}
