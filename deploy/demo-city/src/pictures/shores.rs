//! Scenes on the water and its shore.

use super::canvas::{Canvas, HEIGHT, WIDTH};

/// The towers behind the harbour.
pub(super) fn skyline(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let tower = c.random.between(420, 780);
    let sun_x = tower + c.random.pick(&[-260, -190, 210, 270]);
    let sun_y = c.random.between(130, 176);
    let sun = c.random.between(76, 96);
    c.circle(sun_x, sun_y, sun, p.glow);
    towers(c, p.far, 330, 470, 10, false);
    // The CN Tower: its shaft, its lit mast and its pod.
    c.shape(
        p.dark,
        format_args!(
            "M{} 560L{} 250h12L{} 560z",
            tower - 24,
            tower - 6,
            tower + 24
        ),
    );
    c.rect(tower - 4, 92, 8, 140, p.accent);
    c.rounded(tower - 13, 176, 26, 12, 6, p.accent);
    c.rounded(tower - 26, 222, 52, 16, 7, p.accent);
    c.rounded(tower - 38, 236, 76, 34, 15, p.dark);
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

pub(super) fn towers(c: &mut Canvas, fill: &str, high: i32, low: i32, count: i32, lit: bool) {
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
    // A towel.
    c.shape(
        p.accent,
        format_args!("M{} 680h170l40 44H{}z", umbrella + 66, umbrella + 90),
    );
    c.shape(
        p.glow,
        format_args!("M{} 680h44l36 44h-50z", umbrella + 126),
    );
    c.rect(0, 744, WIDTH, 56, p.mid);
    for plank in 0..16 {
        c.rect(plank * 78 + 20, 744, 5, 56, p.dark);
    }
}

/// Short lines of light on water, from `top` down to the lower edge.
fn ripples(c: &mut Canvas, top: i32) {
    let p = c.colours;
    for row in 0..(HEIGHT - top) / 30 {
        let wide = c.random.between(80, 320);
        let x = c.random.between(-40, WIDTH - wide);
        let fill = c.random.pick(&[p.haze, p.mid, p.cream]);
        c.faint(50, |c| c.rounded(x, top + 14 + row * 30, wide, 7, 3, fill));
    }
}

/// A lighthouse on its point, with its keeper's house.
pub(super) fn lighthouse(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    c.rect(0, 500, WIDTH, 300, p.far);
    ripples(c, 500);
    let x = c.random.between(560, 680);
    c.faint(45, |c| {
        c.shape(
            p.glow,
            format_args!("M{x} 180L-20 60v220zM{x} 180L1220 60v220z"),
        );
    });
    c.shape(
        p.mid,
        format_args!(
            "M{} 800q40-150 170-190 60-50 180-50t200 60q120 60 190 180z",
            x - 420
        ),
    );
    c.at((x, 0), 0, |c| {
        c.shapes(&[
            (p.cream, "M-56 230h112l34 370H-90z"),
            (p.accent, "M-64 310h128l8 84H-72zM-79 476h158l8 84H-87z"),
        ]);
        c.rect(-74, 216, 148, 18, p.dark);
        c.rect(-42, 140, 84, 78, p.glow);
        c.line(p.dark, 7, "M-42 140v78M0 140v78M42 140v78M-70 190h140");
        c.shape(p.accent, "M-54 144Q0 50 54 144z");
        c.rect(-5, 60, 10, 34, p.dark);
        c.rounded(-22, 540, 44, 64, 22, p.dark);
        c.rounded(-12, 410, 24, 40, 12, p.dark);
        c.rect(110, 500, 180, 104, p.cream);
        c.shape(p.accent, "M92 506l108-80 108 80z");
        c.rounded(140, 530, 40, 44, 4, p.glow);
        c.rounded(220, 530, 40, 74, 4, p.dark);
    });
    for gull in 0..4 {
        let (gx, gy) = (90 + gull * 90, 330 + c.random.between(-40, 60));
        c.line(p.cream, 8, format_args!("M{gx} {gy}q20-22 34 0 16-22 36 0"));
    }
    c.shape(p.dark, "M0 800v-50q90-50 200-16t240 30 300-6 460-10v52z");
}

/// The island ferry before its dock.
pub(super) fn ferry(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let sun = c.random.between(140, 300);
    c.circle(sun, 150, 74, p.glow);
    c.shape(p.mid, "M0 420q160-60 330-20t380-24 490 10v80H0z");
    for tree in 0..9 {
        let x = 60 + tree * 140 + c.random.between(-30, 30);
        c.tree(x, 430, 56, p.mid, p.dark);
    }
    c.rect(0, 440, WIDTH, 360, p.far);
    ripples(c, 440);
    let left = c.random.between(150, 240);
    c.at((left, 0), 0, |c| {
        c.rect(150, 300, 520, 110, p.cream);
        c.rect(90, 400, 650, 120, p.cream);
        c.rect(320, 220, 170, 84, p.cream);
        c.rect(300, 208, 210, 18, p.accent);
        c.rect(130, 290, 560, 16, p.accent);
        c.rect(560, 200, 54, 92, p.accent);
        c.rect(560, 218, 54, 18, p.dark);
        for window in 0..7 {
            c.rounded(176 + window * 70, 324, 46, 56, 6, p.dark);
            c.rounded(126 + window * 86, 424, 60, 56, 6, p.glow);
        }
        c.rect(342, 236, 126, 36, p.dark);
        c.shape(p.dark, "M20 510h800l-70 130H90z");
        c.line(p.accent, 12, "M44 552h752");
        c.line(p.dark, 7, "M700 290V150M700 160l-90 40");
        c.shape(p.accent, "M704 150h74l-20 20 20 20h-74z");
    });
    c.faint(70, |c| {
        c.shape(
            p.cream,
            "M230 640q100 40 200 10t200 10 200-10 180 0l30 30q-400 40-640 0z",
        );
    });
    for gull in 0..3 {
        let (gx, gy) = (760 + gull * 130, 110 + c.random.between(-40, 60));
        c.line(p.dark, 7, format_args!("M{gx} {gy}q20-22 34 0 16-22 36 0"));
    }
    c.shape(
        p.dark,
        "M0 700h250v30H0zM40 730h24v70H40zM190 730h24v70h-24z",
    );
}

/// An eight on flat water, early in the morning.
pub(super) fn rowing(c: &mut Canvas) {
    let p = c.colours;
    c.backdrop(p.sky, p.haze);
    let sun = c.random.between(320, 880);
    c.circle(sun, 180, 84, p.glow);
    towers(c, p.mid, 320, 370, 11, false);
    c.rect(0, 400, WIDTH, 400, p.far);
    c.rect(0, 394, WIDTH, 14, p.mid);
    c.faint(50, |c| {
        c.shape(
            p.glow,
            format_args!("M{} 408h130l70 392H{}z", sun - 65, sun - 135),
        );
    });
    ripples(c, 420);
    c.faint(40, |c| c.ellipse(610, 640, 560, 20, p.dark));
    c.shape(
        p.accent,
        "M40 592q560 40 1120-4-60 50-200 56H260q-150-6-220-52z",
    );
    for rower in 0..8 {
        let x = 230 + rower * 96;
        c.line(p.dark, 9, format_args!("M{x} 590l-110 110"));
        c.shape(p.cream, format_args!("M{} 694l-34 36 22 8 26-34z", x - 106));
        c.shape(
            p.cream,
            format_args!("M{} 604q0-100 34-110t30 20 20 90z", x - 20),
        );
        c.line(p.dark, 18, format_args!("M{} 530l-50 34", x + 10));
        c.circle(x + 16, 466, 28, p.dark);
    }
    c.shape(p.accent, "M1010 600q0-60 30-64t34 64z");
    c.circle(1040, 510, 26, p.dark);
    for wake in [680, 730] {
        c.faint(60, |c| c.rounded(860, wake, 240, 8, 4, p.cream));
    }
}
