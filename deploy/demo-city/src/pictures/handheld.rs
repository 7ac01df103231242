//! Food that is eaten without a plate.

use super::canvas::Canvas;

/// A tall burger.
pub(super) fn burger(c: &mut Canvas) {
    let p = c.colours;
    c.still_life(640);
    c.ellipse(600, 690, 400, 46, p.dark);
    c.ellipse(600, 676, 390, 40, p.cream);
    c.rounded(330, 590, 540, 84, 34, p.glow);
    c.rounded(310, 528, 580, 74, 30, p.dark);
    c.shapes(&[
        (p.glow, "M320 500h560l-70 60-80-40-90 60-110-60-90 50z"),
        (p.accent, "M318 478q0-26 26-26h512q26 0 26 26t-26 26H344q-26 0-26-26z"),
        (p.mid, "M300 440h600q10 40-40 36-40 30-80-2-50 34-90 0-50 36-90 0-50 34-90 0-50 32-90 0-40 30-80 0-50 4-40-34z"),
        (p.glow, "M320 440q-10-220 280-220t280 220z"),
    ]);
    c.faint(35, |c| {
        c.shape(p.cream, "M372 400q10-130 160-150-100 50-110 150z");
    });
    for seed in 0..14 {
        let (column, row) = (seed % 7, seed / 7);
        let at = (
            410 + column * 62 + row * 30,
            370 - row * 56 - c.random.between(0, 24),
        );
        c.at(at, seed * 50, |c| c.ellipse(0, 0, 14, 7, p.cream));
    }
    c.line(p.dark, 9, "M600 230V90");
    c.shape(p.accent, "M604 92h110l-30 30 30 30H604z");
}

/// A long sandwich, half in its paper.
pub(super) fn sandwich(c: &mut Canvas) {
    let p = c.colours;
    c.still_life(600);
    c.rounded(130, 640, 940, 60, 20, p.dark);
    c.rounded(130, 630, 940, 50, 18, p.far);
    c.askew((600, 480), 5, |c| {
        c.rounded(-400, 70, 800, 100, 48, p.glow);
        c.shape(p.cream, "M-396 74h792v30h-792z");
        for slice in 0..7 {
            c.ellipse(-300 + slice * 100, 66, 74, 26, p.accent);
        }
        c.shape(p.mid, "M-410 40q30-40 80-8 50-44 100 0 50-44 100 0 50-44 100 0 50-44 100 0 50-44 100 0 50-44 100 0 50-30 120 10 0 40-60 40h-660q-70 0-80-42z");
        for stick in 0..9 {
            let x = -330 + stick * 80;
            let fill = if stick % 2 == 0 { p.accent } else { p.cream };
            c.line(fill, 14, format_args!("M{x} 26l56-26"));
        }
        c.shape(p.glow, "M-420 10q-10-130 160-140h520q170 10 160 140z");
        c.line(p.cream, 12, "M-190-104l60 60M-50-104l60 60M90-104l60 60M230-104l60 60");
        c.shape(p.cream, "M-440-120q120-30 260 0l-40 300q-120 20-230-10z");
        for stripe in 0..3 {
            c.line(p.accent, 14, format_args!("M-430 {0}q110-20 230 4", -60 + stripe * 84));
        }
    });
}

/// Fries and fried fish in a striped carton, with dips.
pub(super) fn fries(c: &mut Canvas) {
    let p = c.colours;
    c.still_life(640);
    c.ellipse(600, 722, 280, 30, p.dark);
    for stick in 0..18 {
        let (x, turn) = (420 + stick % 9 * 42, (stick % 9 - 4) * 6);
        let high = c.random.between(210, 330);
        let fill = if stick < 9 { p.far } else { p.glow };
        c.at((x, 500), turn, |c| c.rounded(-20, -high, 40, high, 6, fill));
    }
    c.shape(p.glow, "M660 470q-70-220 40-330 50-40 90 10 70 130-20 330z");
    c.faint(45, |c| {
        c.discs(
            10,
            p.accent,
            &[(700, 220), (740, 290), (690, 330), (750, 370)],
        );
    });
    c.shape(p.accent, "M390 410q210 70 420 0l-60 310H450z");
    c.shapes(&[
        (p.cream, "M460 430l50 10 12 280h-40z"),
        (p.cream, "M560 445h80l-8 275h-64z"),
        (p.cream, "M690 440l50-10-22 290h-40z"),
    ]);
    for (x, fill) in [(230, p.accent), (980, p.cream)] {
        c.shape(p.dark, format_args!("M{} 640h180l-26 90h-128z", x - 90));
        c.ellipse(x, 640, 90, 24, fill);
    }
}

/// Two filled flatbreads in paper.
pub(super) fn wraps(c: &mut Canvas) {
    let p = c.colours;
    c.still_life(660);
    c.ellipse(600, 722, 390, 36, p.dark);
    let fillings = [p.mid, p.accent, p.cream, p.mid, p.glow, p.accent];
    for (x, turn) in [(470, -14), (740, 12)] {
        c.at((x, 700), turn, |c| {
            c.shape(p.glow, "M-124-430q0-150 124-150t124 150v260h-248z");
            c.ellipse(0, -460, 118, 60, p.far);
            for (index, fill) in (0..).zip(fillings) {
                c.circle(-85 + index * 34, -472 - index % 2 * 26, 38, fill);
            }
            c.shape(p.glow, "M-124-440q124 66 248 0v280h-248z");
            c.discs(11, p.far, &[(-60, -370), (20, -350), (80, -390)]);
            c.shape(p.cream, "M-140-330l140 60 140-60-44 320q-96 20-192 0z");
            c.line(
                p.accent,
                16,
                "M-128-240l128 54 128-54M-112-130l112 46 112-46",
            );
        });
    }
}
