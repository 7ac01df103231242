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
    Site::read(file.path(), crate::pages::section_at)
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
