use serde_json::json;

use super::*;

const SITE: &str = r#"
    name = "Test"
    city = "Toronto"
    tagline = "For tests"
    timezone = "Canada/Eastern"
    start_year = 2004
    variant = "guide"
    accent = "streetcar"
    footer = [{ label = "Contests", href = "/contests/?ordering=name" }]
    article_sections = [{ slug = "news", name = "News" }]
    patio_guide = { label = "Patio Guide", href = "https://patios.example/" }

    [sections]
    listings = true
    contests = false

    [[navigation]]
    label = "Places"
    href = "/places/"

    [[navigation]]
    label = "News"
    href = "/news/"

    [[navigation]]
    label = "Best Of"
    href = "/toronto/"

    [[navigation]]
    label = "Raffles"
    href = "/raffles/"
    section = "contests"

    [[home]]
    kind = "reviews"
    limit = 6

    [[home]]
    kind = "contests"
    title = "Win"
    href = "/contests/"
    limit = 3
"#;

fn read(text: &str) -> Result<Site, Fault> {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), text).expect("writes");
    Ok(Site::read(file.path())?.without_disabled(section_at))
}

/// Sections of some gateway pages.
fn section_at(site: &Site, path: &str) -> Option<&'static str> {
    match path {
        "/places/" => Some("listings"),
        "/contests/" => Some("contests"),
        "/news/" => Some("articles"),
        _ => path
            .starts_with(&format!("/{}/", site.city_slug))
            .then_some("best_of"),
    }
}

#[test]
fn accents_and_variants_are_named_as_settings_write_them() {
    for variant in [Variant::Guide, Variant::News] {
        assert_eq!(json!(variant), variant.name());
    }
    for accent in [Accent::Streetcar, Accent::DeepBlue] {
        assert_eq!(json!(accent), accent.name());
    }
}

#[test]
fn accents_are_the_colours_of_the_web_application() {
    let tokens = include_str!("../../../web/src/styles/tokens.css");
    for accent in [Accent::Streetcar, Accent::DeepBlue] {
        let declaration = format!("  --accent: {};", accent.color());
        assert!(tokens.contains(&declaration), "{declaration}");
    }
}

#[test]
fn links_and_blocks_of_a_section_that_is_off_are_left_out() {
    let site = read(SITE).expect("valid");
    let kinds: Vec<_> = site.home.iter().map(|block| block.kind).collect();
    assert_eq!(kinds, [HomeBlockKind::Reviews]);
    assert!(site.patio_guide.is_none() && site.footer.is_empty());
    let bar: Vec<_> = site
        .navigation
        .iter()
        .map(|link| link.href.as_str())
        .collect();
    assert_eq!(bar, ["/places/"]);
    assert_eq!(site.sections.len(), SECTIONS.len());
    assert!(site.has("listings") && !site.has("contests") && !site.has("videos"));
    assert_eq!(site.legal_age, 19);
}

#[test]
fn a_file_that_pages_could_not_show_is_refused_with_the_reason() {
    for (right, wrong, reason) in [
        ("\"/places/\"", "\"//places/\"", "no path of this site"),
        (
            "https://patios",
            "javascript:",
            "neither a path nor an address",
        ),
        ("\"/contests/\"", "\"contests\"", "no path of this site"),
        (
            "contests = false",
            "contest = false",
            "no section \"contest\"",
        ),
        (
            "section = \"contests\"",
            "section = \"raffles\"",
            "no section \"raffles\"",
        ),
        ("limit = 6", "limit = 0", "1 to 24"),
        ("limit = 6", "limit = 25", "1 to 24"),
        ("\"Toronto\"", "\"!\"", "no letter to make a path of"),
        ("accent", "colour", "line 8"),
        (
            "    [sections]",
            "map = { style = \"style.json\" }\n[sections]",
            "map.style",
        ),
        (
            "    [sections]",
            "logo = { file = \"../logo.svg\", width = 1, height = 1 }\n[sections]",
            "logo.file: \"../logo.svg\"",
        ),
        (
            "    [sections]",
            "    [security]\ncontacts = [\"http://guide.example/\"]\n[sections]",
            "\"http://guide.example/\" is neither mailto:, https: nor tel:",
        ),
        (
            "    [sections]",
            "    [security]\ncontacts = []\n[sections]",
            "security.contacts names nobody",
        ),
        (
            "    [sections]",
            "    [consent]\nask = true\n[sections]",
            "unknown field `ask`",
        ),
        (
            "    [sections]",
            "    [consent]\n[sections]",
            "missing field `asks`",
        ),
        (
            "    [sections]",
            "    [security]\ncontact = \"tel:+1\"\n[sections]",
            "line 14: unknown field `contact`",
        ),
        (
            "    [[home]]",
            "    [[ads.slots]]\nposition = \"lead\"\npages = [\"home\"]\nbox = \"mobile\"\nscreens = [\"large\"]\n[[home]]",
            "ads.slots: \"lead\": a mobile is for x_small, small, not large",
        ),
        (
            "    [[home]]",
            "    [[ads.slots]]\nposition = \"lead\"\npages = [\"login\"]\nbox = \"mobile\"\nscreens = [\"small\"]\n[[home]]",
            "unknown variant `login`",
        ),
        (
            "    [[home]]",
            "    [ads.prebid]\nscript = \"https://cdn.example/prebid.js\"\nbidders = [{ bidder = \"one\" }]\n[[home]]",
            "ads.prebid needs ads.google",
        ),
    ] {
        let fault = read(&SITE.replacen(right, wrong, 1)).expect_err("refused");
        assert!(fault.message.contains(reason), "{wrong}: {}", fault.message);
    }
    let on = SITE
        .replace("contests = false", "patio_guide = true")
        .replace("patio_guide = {", "masthead = {");
    let fault = read(&on).expect_err("refused");
    assert!(
        fault.message.contains("needs the link"),
        "{}",
        fault.message
    );
}

#[test]
fn slots_have_the_sizes_of_their_box_and_each_position_is_there_once() {
    let slot = |position: &str| {
        format!(
            "\n[[ads.slots]]\nposition = \"{position}\"\npages = [\"home\", \"listing-type\"]\n\
             at = \"end\"\nbox = \"mobile\"\nscreens = [\"x_small\"]\n"
        )
    };
    let site = read(&format!("{SITE}{}{}", slot("one"), slot("two"))).expect("valid");
    let slots = json!(site.ads)["slots"].clone();
    assert_eq!(
        slots[1],
        json!({"position": "two", "pages": ["home", "listing-type"], "at": "end", "box": "mobile",
            "screens": ["x_small"], "sizes": ["320x100", "320x50", "300x250"]})
    );
    let twice = read(&format!("{SITE}{}{}", slot("one"), slot("one"))).expect_err("refused");
    assert!(
        twice
            .message
            .contains("the position \"one\" is there twice"),
        "{}",
        twice.message
    );
    let many: String = (0..25)
        .map(|index| slot(&format!("slot-{index}")))
        .collect();
    let many = read(&format!("{SITE}{many}")).expect_err("refused");
    assert!(many.message.contains("25 are too many"), "{}", many.message);
    assert!(json!(read(SITE).expect("valid").ads)["slots"] == json!([]));
}
