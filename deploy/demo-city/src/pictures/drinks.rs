//! Drinks, and the machines that make them.

use super::{
    canvas::{Canvas, HEIGHT, WIDTH},
    tables::table_top,
};

/// A tall cup of bubble tea with its pearls, and another behind it.
pub(super) fn bubble_tea(c: &mut Canvas) {
    let p = c.colours;
    c.still_life(640);
    let teas = c
        .random
        .pick(&[(p.glow, p.accent), (p.far, p.glow), (p.accent, p.far)]);
    for (at, tea, turn) in [((800, 690), teas.1, 5), ((470, 720), teas.0, -4)] {
        c.at(at, turn, |c| {
            c.line(p.accent, 40, "M30-380L110-640");
            c.line(p.cream, 8, "M44-400L112-620");
            c.shape(p.cream, "M-150-430h300l-46 430h-208z");
            c.shape(tea, "M-134-340h268l-36 322h-196z");
            c.faint(50, |c| {
                c.shape(p.cream, "M-134-340h268l-8 70q-70-40-126 0t-126 0z");
            });
            for pearl in 0..15 {
                let (row, column) = (pearl / 5, pearl % 5);
                let x = -84 + column * 42 + c.random.between(-8, 8);
                c.circle(x, -44 - row * 38 - column % 2 * 12, 19, p.dark);
            }
            c.faint(60, |c| c.shape(p.cream, "M-118-320h34l-18 260h-20z"));
            c.rounded(-166, -452, 332, 40, 20, p.dark);
        });
    }
}

/// A pot of tea and its cups, in front of tins.
pub(super) fn teapot(c: &mut Canvas) {
    let p = c.colours;
    c.still_life(620);
    for shelf in [150, 300] {
        c.rect(840, shelf, 300, 14, p.dark);
        for tin in 0..3 {
            let fill = c.random.pick(&[p.accent, p.mid, p.far]);
            let high = c.random.between(70, 96);
            c.rounded(860 + tin * 92, shelf - high, 72, high, 8, fill);
            c.rect(870 + tin * 92, shelf - high + 30, 52, 24, p.cream);
        }
    }
    c.steam(240, 330);
    c.ellipse(440, 650, 260, 26, p.dark);
    c.line(p.accent, 34, "M610 450q150 0 100 120-20 30-110 30");
    c.shapes(&[
        (
            p.accent,
            "M290 480q-60-20-74-90-8-30-40-40l66-4q30 60 80 66z",
        ),
        (
            p.accent,
            "M240 520q0-150 200-150t200 150q0 130-110 130H350q-110 0-110-130z",
        ),
        (p.dark, "M310 390q20-70 130-70t130 70q-130-40-260 0z"),
    ]);
    c.circle(440, 306, 24, p.dark);
    c.faint(40, |c| {
        c.shape(p.cream, "M290 520q0-90 80-110-30 60-30 130z");
    });
    for x in [800, 990] {
        c.ellipse(x, 676, 104, 18, p.dark);
        c.shape(
            p.dark,
            format_args!("M{} 560h140q0 104-70 104t-70-104z", x - 70),
        );
        c.ellipse(x, 562, 68, 14, p.glow);
        c.circle(x, 614, 18, p.accent);
    }
    c.steam(800, 540);
}

/// A cup of coffee with a leaf in its foam, seen from above.
pub(super) fn latte(c: &mut Canvas) {
    let p = c.colours;
    table_top(c);
    let (x, y) = (520, 410);
    c.faint(25, |c| c.circle(x + 14, y + 22, 300, p.dark));
    for (r, fill) in [(294, p.cream), (216, p.haze)] {
        c.circle(x, y, r, fill);
    }
    c.line(p.accent, 40, "M680 300q70-70 110-20t-60 80");
    for (r, fill) in [(204, p.accent), (178, p.dark), (168, p.mid)] {
        c.circle(x, y, r, fill);
    }
    c.askew((x, y), 40, |c| {
        c.shape(
            p.cream,
            "M0 130q-120-60-104-170 20-60 104-10 84-50 104 10 16 110-104 170z",
        );
        c.line(
            p.mid,
            13,
            "M0 110V-60M-70 10q40 10 70 60 30-50 70-60M-64-46q40 10 64 50 24-40 64-50",
        );
    });
    c.at((270, 610), 40, |c| {
        c.rounded(-10, -110, 20, 220, 10, p.dark);
        c.ellipse(0, -130, 32, 48, p.dark);
    });
    c.circle(1010, 250, 170, p.cream);
    c.circle(1010, 250, 136, p.far);
    c.askew((1010, 260), 20, |c| {
        c.shape(
            p.glow,
            "M-130 40q0-130 130-130T130 40q-20 40-60 10-20-60-70-60t-70 60q-40 30-60-10z",
        );
        c.line(
            p.accent,
            9,
            "M-84-50l34 60M-30-84l14 66M30-84l-14 66M84-50l-34 60",
        );
    });
    c.at((1040, 640), -12, |c| {
        c.rounded(-150, -110, 300, 220, 10, p.dark);
        c.rounded(-138, -98, 276, 196, 6, p.cream);
        c.line(p.far, 8, "M-100-60H90M-100-20h170M-100 20H90M-100 60h110");
    });
}

/// A drum roaster, its tray of beans and full sacks.
pub(super) fn roaster(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.haze);
    c.bricks((156, 80), p.sky);
    c.surface(650, p.mid, p.dark);
    c.line(p.dark, 44, "M480 300V60h300V0");
    c.shape(p.dark, "M640 130h200l-70 130h-60z");
    c.rounded(340, 250, 520, 330, 40, p.accent);
    c.rect(380, 580, 40, 110, p.dark);
    c.rect(780, 580, 40, 110, p.dark);
    for (r, fill) in [(136, p.dark), (112, p.cream), (92, p.dark)] {
        c.circle(520, 410, r, fill);
    }
    let beans: Vec<_> = (0..9)
        .map(|_| {
            (
                520 + c.random.between(-56, 56),
                440 + c.random.between(-16, 40),
            )
        })
        .collect();
    c.discs(16, p.glow, &beans);
    for (x, fill) in [(730, p.cream), (800, p.glow)] {
        c.circle(x, 330, 28, fill);
        c.line(p.dark, 6, format_args!("M{x} 330l12-14"));
    }
    c.rounded(690, 400, 130, 120, 12, p.dark);
    c.line(p.glow, 10, "M715 500l20-60 20 60 20-60 20 60");
    c.ellipse(520, 670, 250, 46, p.dark);
    c.ellipse(520, 660, 226, 34, p.far);
    let tray: Vec<_> = (0..22)
        .map(|_| {
            (
                520 + c.random.between(-190, 190),
                660 + c.random.between(-18, 18),
            )
        })
        .collect();
    c.discs(11, p.dark, &tray);
    for (x, fill) in [(170, p.glow), (1010, p.cream), (1120, p.glow)] {
        c.shape(
            fill,
            format_args!(
                "M{} 760q-30-200 10-240l-14-50h148l-14 50q40 40 10 240z",
                x - 70
            ),
        );
        c.line(p.dark, 9, format_args!("M{} 522q70 20 140 0", x - 70));
        c.circle(x, 640, 34, p.accent);
        c.line(fill, 7, format_args!("M{x} 608q-18 32 0 64"));
    }
}

/// Beer taps over full glasses.
pub(super) fn taps(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.mid);
    c.bricks((144, 84), p.far);
    c.rect(130, 330, 940, 70, p.cream);
    c.rect(130, 380, 940, 20, p.haze);
    c.rect(240, 400, 60, 260, p.cream);
    c.rect(900, 400, 60, 260, p.cream);
    let first = c.random.pick(&[0, 1, 2, 3]);
    for tap in 0..6 {
        let x = 200 + tap * 160;
        let handles = [p.accent, p.dark, p.glow, p.haze];
        let fill = handles[(usize::try_from(tap).unwrap_or(0) + first) % 4];
        c.shape(
            fill,
            format_args!("M{} 320l-12-210q38-40 76 0l-12 210z", x - 26),
        );
        c.circle(x, 160, 20, p.cream);
        c.shape(
            p.dark,
            format_args!("M{} 390h56v34l-14 46h-28l-14-46z", x - 28),
        );
    }
    c.surface(660, p.dark, p.accent);
    for glass in 0..4 {
        let x = 210 + glass * 230 + c.random.between(-20, 20);
        let beer = if glass % 2 == 0 { p.glow } else { p.accent };
        c.shape(
            p.cream,
            format_args!("M{} 530h150l-18 220H{}z", x - 75, x - 57),
        );
        c.shape(
            beer,
            format_args!("M{} 570h134l-14 170H{}z", x - 67, x - 53),
        );
        let foam = [(x - 50, 540), (x - 14, 528), (x + 24, 530), (x + 54, 542)];
        c.discs(30, p.cream, &foam);
        c.faint(50, |c| c.rounded(x - 44, 600, 16, 110, 8, p.cream));
    }
}

/// Wine, cheese and grapes by candlelight.
pub(super) fn wine(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.dark);
    c.faint(40, |c| c.circle(600, 330, 420, p.mid));
    for (x, y) in [(80, 120), (1000, 90)] {
        for hole in 0..6 {
            let (dx, dy) = (hole % 2 * 96, hole / 2 * 96);
            c.circle(x + dx, y + dy, 42, p.mid);
            c.circle(
                x + dx,
                y + dy,
                22,
                if hole % 3 == 0 { p.accent } else { p.dark },
            );
        }
    }
    c.surface(630, p.far, p.cream);
    c.bottle(330, 700, (150, 560), p.mid);
    c.rect(342, 440, 126, 150, p.cream);
    c.circle(405, 500, 32, p.accent);
    c.rect(378, 150, 54, 60, p.accent);
    for (x, fill) in [(590, p.accent), (770, c.random.pick(&[p.accent, p.glow]))] {
        c.shape(
            p.cream,
            format_args!(
                "M{} 330h150q20 190-60 200v146h46v20H{}v-20h46V530q-80-10-60-200z",
                x - 75,
                x - 61
            ),
        );
        c.shape(
            fill,
            format_args!("M{} 420h146q2 92-56 96h-34q-58-4-56-96z", x - 73),
        );
    }
    c.rounded(840, 690, 320, 40, 14, p.dark);
    c.shape(p.glow, "M880 690v-76l190-44v120z");
    c.discs(12, p.cream, &[(930, 660), (990, 630), (1030, 664)]);
    for grape in 0..9 {
        c.circle(
            160 + grape % 3 * 44 + grape / 3 * 20,
            720 - grape / 3 * 36,
            25,
            p.accent,
        );
    }
    c.faint(25, |c| c.circle(960, 420, 90, p.glow));
    c.rounded(936, 440, 48, 130, 6, p.cream);
    c.shape(p.glow, "M960 370q34 46 0 66-34-20 0-66z");
}

/// A coupe, a tall drink and a shaker.
pub(super) fn cocktail(c: &mut Canvas) {
    let p = c.colours;
    c.rect(0, 0, WIDTH, HEIGHT, p.dark);
    c.circle(600, 380, 400, p.mid);
    c.faint(40, |c| c.circle(600, 380, 300, p.accent));
    c.surface(660, p.far, p.cream);
    let drinks = c
        .random
        .pick(&[(p.accent, p.glow), (p.glow, p.accent), (p.mid, p.accent)]);
    c.shapes(&[
        (
            p.cream,
            "M250 290h360q-10 170-160 186v190h80q20 0 20 26H310q0-26 20-26h80V476q-150-16-160-186z",
        ),
        (drinks.0, "M272 330h316q-30 112-158 122-128-10-158-122z"),
        (p.cream, "M680 250h190l-16 446H696z"),
        (drinks.1, "M694 360h162l-12 320H706z"),
    ]);
    c.circle(580, 284, 58, p.glow);
    c.circle(580, 284, 42, p.cream);
    for (x, y, turn) in [(740, 400, 12), (800, 480, -16), (750, 560, 30)] {
        c.at((x, y), turn, |c| {
            c.faint(60, |c| c.rounded(-36, -36, 72, 72, 12, p.cream));
        });
    }
    c.line(p.accent, 18, "M800 380L880 120");
    c.askew((850, 260), 10, |c| {
        c.shape(
            p.mid,
            "M0 0q-30-90 20-130 50 40 10 130zM0 0q50-70 110-60-20 70-110 70z",
        );
    });
    c.shapes(&[
        (p.haze, "M950 330h170l-24 366H974z"),
        (p.cream, "M958 330l26-110h102l26 110z"),
        (p.haze, "M1000 214v-54q35-30 70 0v54z"),
    ]);
    c.faint(60, |c| c.shape(p.cream, "M980 360h30l-8 310h-12z"));
}
