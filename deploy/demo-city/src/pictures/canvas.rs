//! Compact SVG: whole numbers and flat fills.

use std::fmt::{self, Display, Write as _};

use super::palette::Palette;
use crate::demo::random::Random;

pub(crate) const WIDTH: i32 = 1200;
pub(crate) const HEIGHT: i32 = 800;

/// A thin layer of grain.
pub(super) const GRAIN: &str = concat!(
    r#"<filter id="g" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" baseFrequency=".7"/>"#,
    r#"<feColorMatrix values="0 0 0 0 .1 0 0 0 0 .07 0 0 0 0 .05 0 0 0 .55 -.2"/></filter>"#,
    r#"<path filter="url(#g)" opacity=".5" d="M0 0h1200v800H0z"/>"#,
);

/// An outline with relative coordinates, repeated at each of the points.
pub(super) fn repeated(points: &[(i32, i32)], outline: &str) -> String {
    let outlines = points.iter().map(|(x, y)| format!("M{x} {y}{outline}"));
    outlines.collect()
}

/// The canvas of a scene: the marks so far, the colours and the random numbers that vary them.
#[derive(Debug)]
pub(super) struct Canvas {
    body: String,
    /// The end of the last rectangles in the body, and their fill; rectangles that follow directly with this fill join
    /// them.
    rectangles: Option<(usize, String)>,
    /// The end of the last faint group in the body, and its percentage.
    faintness: Option<(usize, i32)>,
    pub(super) colours: Palette,
    pub(super) random: Random,
    is_mirrored: bool,
}

impl Canvas {
    pub(super) fn new(colours: Palette, random: Random, is_mirrored: bool) -> Self {
        Self {
            body: String::new(),
            rectangles: None,
            faintness: None,
            colours,
            random,
            is_mirrored,
        }
    }

    fn mark(&mut self, mark: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(mark);
    }

    pub(super) fn rect(&mut self, x: i32, y: i32, w: i32, h: i32, fill: &str) {
        const END: &str = r#""/>"#;
        match &self.rectangles {
            Some((end, last)) if *end == self.body.len() && last == fill => {
                self.body.truncate(end - END.len());
            }
            _ => self.mark(format_args!(r#"<path fill="{fill}" d=""#)),
        }
        self.mark(format_args!("M{x} {y}h{w}v{h}H{x}z{END}"));
        self.rectangles = Some((self.body.len(), fill.to_owned()));
    }

    pub(super) fn rounded(&mut self, x: i32, y: i32, w: i32, h: i32, radius: i32, fill: &str) {
        self.mark(format_args!(
            r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{radius}" fill="{fill}"/>"#
        ));
    }

    pub(super) fn circle(&mut self, x: i32, y: i32, r: i32, fill: &str) {
        self.mark(format_args!(
            r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>"#
        ));
    }

    pub(super) fn ellipse(&mut self, x: i32, y: i32, rx: i32, ry: i32, fill: &str) {
        self.mark(format_args!(
            r#"<ellipse cx="{x}" cy="{y}" rx="{rx}" ry="{ry}" fill="{fill}"/>"#
        ));
    }

    /// A filled outline, in SVG's path language.
    pub(super) fn shape(&mut self, fill: &str, d: impl Display) {
        self.mark(format_args!(r#"<path fill="{fill}" d="{d}"/>"#));
    }

    /// A drawn line.
    pub(super) fn line(&mut self, stroke: &str, width: i32, d: impl Display) {
        self.mark(format_args!(
            r#"<path fill="none" stroke="{stroke}" stroke-width="{width}" d="{d}"/>"#
        ));
    }

    /// Many discs of one size: lines of no length, of which only the round ends are visible.
    pub(super) fn discs(&mut self, r: i32, fill: &str, centres: &[(i32, i32)]) {
        let width = r * 2;
        self.mark(format_args!(
            r#"<path stroke="{fill}" stroke-width="{width}" d=""#
        ));
        for (x, y) in centres {
            self.mark(format_args!("M{x} {y}h0"));
        }
        self.body.push_str(r#""/>"#);
    }

    /// The joints of a wall of bricks of this size.
    pub(super) fn bricks(&mut self, (wide, high): (i32, i32), joint: &str) {
        let rows: Vec<_> = (0..=HEIGHT / high).map(|row| (0, row * high)).collect();
        let bricks = rows.iter().flat_map(|(_, y)| {
            let shift = y / high % 2 * wide / 2;
            (0..=WIDTH / wide).map(move |brick| (brick * wide + shift, *y))
        });
        let ends = repeated(&bricks.collect::<Vec<_>>(), &format!("v{high}"));
        let d = repeated(&rows, "h1200") + &ends;
        self.faint(60, |c| c.line(joint, 6, d));
    }

    /// Draws inside a group with attributes, such as a transform or an opacity.
    pub(super) fn group(&mut self, attributes: impl Display, draw: impl FnOnce(&mut Self)) {
        self.mark(format_args!("<g {attributes}>"));
        draw(self);
        self.body.push_str("</g>");
    }

    /// Draws with the origin at a point, turned by `turn` degrees.
    pub(super) fn at(&mut self, (x, y): (i32, i32), turn: i32, draw: impl FnOnce(&mut Self)) {
        self.group(
            format_args!(r#"transform="translate({x} {y})rotate({turn})""#),
            draw,
        );
    }

    /// Draws with the origin at a point, turned at random by at most `most` degrees.
    pub(super) fn askew(&mut self, at: (i32, i32), most: i32, draw: impl FnOnce(&mut Self)) {
        let turn = self.random.between(-most, most);
        self.at(at, turn, draw);
    }

    /// Filled outlines, from back to front.
    pub(super) fn shapes(&mut self, shapes: &[(&str, &str)]) {
        for (fill, d) in shapes {
            self.shape(fill, d);
        }
    }

    /// Draws with an opacity; marks that follow directly with the same opacity join the group.
    pub(super) fn faint(&mut self, percent: i32, draw: impl FnOnce(&mut Self)) {
        const END: &str = "</g>";
        match self.faintness {
            Some((end, last)) if end == self.body.len() && last == percent => {
                self.body.truncate(end - END.len());
            }
            _ => self.mark(format_args!(r#"<g opacity=".{percent:02}">"#)),
        }
        draw(self);
        self.body.push_str(END);
        self.faintness = Some((self.body.len(), percent));
    }

    /// The whole background, from `top` to `bottom`.
    pub(super) fn backdrop(&mut self, top: &str, bottom: &str) {
        self.mark(format_args!(
            concat!(
                r#"<linearGradient id="b" x2="0" y2="1"><stop stop-color="{}"/>"#,
                r#"<stop offset=".8" stop-color="{}"/></linearGradient>"#
            ),
            top, bottom
        ));
        self.rect(0, 0, WIDTH, HEIGHT, "url(#b)");
    }

    /// A surface in the foreground, with its edge at `top`.
    pub(super) fn surface(&mut self, top: i32, fill: &str, edge: &str) {
        self.rect(0, top, WIDTH, HEIGHT - top, fill);
        self.rect(0, top, WIDTH, 16, edge);
    }

    /// A table in front of a disc, which sets off light food and cups.
    pub(super) fn still_life(&mut self, table: i32) {
        let p = self.colours;
        self.backdrop(p.sky, p.haze);
        self.faint(55, |c| c.circle(600, 370, 330, p.far));
        self.surface(table, p.mid, p.dark);
    }

    /// Two wisps of steam that rise from a point.
    pub(super) fn steam(&mut self, x: i32, y: i32) {
        let cream = self.colours.cream;
        self.faint(60, |c| {
            c.line(
                cream,
                13,
                format_args!(
                    "M{} {y}q-34-36 0-74t0-60M{} {y}q-34-36 0-74t0-60",
                    x - 28,
                    x + 28
                ),
            );
        });
    }

    /// A pair of chopsticks, 400 long, centred on a point.
    pub(super) fn chopsticks(&mut self, at: (i32, i32), turn: i32) {
        let p = self.colours;
        self.at(at, turn, |c| {
            c.line(p.dark, 15, "M-14 200L-8-200M20 200L12-200");
            c.line(p.accent, 15, "M-14 200l1-60M20 200l-1-60");
        });
    }

    /// A bottle with square shoulders, whose foot is at (x, foot).
    pub(super) fn bottle(&mut self, x: i32, foot: i32, (wide, tall): (i32, i32), fill: &str) {
        let (neck, shoulder) = (wide / 3, tall - 54);
        self.shape(
            fill,
            format_args!(
                "M{x} {foot}v-{shoulder}q0-16 {neck}-20v-34h{neck}v34q{neck} 4 {neck} 20v{shoulder}z"
            ),
        );
    }

    /// A string of bulbs between the upper corners, which sags by `dip` on the left and rises on the right.
    pub(super) fn bulbs(&mut self, y: i32, dip: i32) {
        let p = self.colours;
        self.line(
            p.dark,
            4,
            format_args!("M0 {y}Q300 {0} 600 {y}T1200 {y}", y + dip),
        );
        let bulbs: Vec<_> = (0..12)
            .map(|bulb| {
                let x = 50 + bulb * 100;
                let sag = if x < 600 { dip } else { -dip };
                let along = x % 600;
                (x, y + 12 + 2 * sag * along * (600 - along) / 360_000)
            })
            .collect();
        self.faint(25, |c| c.discs(26, p.glow, &bulbs));
        self.discs(10, p.glow, &bulbs);
    }

    /// A striped awning from (x, y), with `count` stripes of this size.
    pub(super) fn awning(&mut self, (x, y): (i32, i32), count: i32, (wide, drop): (i32, i32)) {
        let p = self.colours;
        for stripe in 0..count {
            let fill = if stripe % 2 == 0 { p.accent } else { p.cream };
            let half = wide / 2;
            self.shape(
                fill,
                format_args!(
                    "M{} {y}h{wide}v{drop}a{half} {half} 0 0 1-{wide} 0z",
                    x + stripe * wide
                ),
            );
        }
    }

    /// A hanging lamp: its cord, its shade and its light.
    pub(super) fn lamp(&mut self, x: i32, y: i32, size: i32) {
        let p = self.colours;
        self.faint(22, |c| c.circle(x, y + size / 2, size * 2, p.glow));
        self.line(p.dark, 5, format_args!("M{x} 0V{y}"));
        self.circle(x, y + size / 2, size / 3, p.glow);
        let half = size / 2;
        self.shape(
            p.accent,
            format_args!(
                "M{} {}a{size} {size} 0 0 1 {} 0z",
                x - size,
                y + half,
                size * 2
            ),
        );
        self.rect(x - 8, y - half - 12, 16, 20, p.dark);
    }

    /// A tree with a round crown of three parts.
    pub(super) fn tree(&mut self, x: i32, foot: i32, size: i32, crown: &str, trunk: &str) {
        let top = foot - size * 2;
        self.rect(
            x - size / 12,
            top + size / 2,
            size / 6,
            foot - top - size / 2,
            trunk,
        );
        self.circle(x, top, size * 2 / 3, crown);
        self.circle(x - size / 2, top + size / 2, size / 2, crown);
        self.circle(x + size / 2, top + size * 2 / 5, size * 11 / 20, crown);
    }

    /// A person seen from behind.
    pub(super) fn person(&mut self, x: i32, foot: i32, coat: &str) {
        let dark = self.colours.dark;
        self.line(
            dark,
            20,
            format_args!("M{} {foot}v-90M{} {foot}v-90", x - 14, x + 14),
        );
        self.shape(
            coat,
            format_args!("M{} {}q-6-150 40-160t40 160z", x - 40, foot - 70),
        );
        self.circle(x, foot - 252, 28, dark);
    }

    /// The finished picture, under another layer.
    pub(super) fn finish(self, over: &str) -> String {
        let turn = if self.is_mirrored {
            format!(r#" transform="matrix(-1 0 0 1 {WIDTH} 0)""#)
        } else {
            String::new()
        };
        format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}">"#,
                r#"<g stroke-linecap="round"{turn}>{body}</g>{over}</svg>"#,
                "\n"
            ),
            w = WIDTH,
            h = HEIGHT,
            turn = turn,
            body = self.body,
            over = over,
        )
    }
}
