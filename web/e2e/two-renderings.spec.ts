import { expect, type Browser, type Page } from '@playwright/test'
import { pagePaths } from './catalogue'
import { applicationRendered, settled } from './layout'
import { hideAds, matched, parts, shown, type Part } from './rendering'
import { holdRequests } from './requests'
import { test } from './sites'

/**
 * * The gateway's page has the same positions and pictures without scripts, before its scripts have loaded, and after
 * the application has replaced it. `web/renderings/` compares the elements of all pages.
 */

const WIDTHS = [1440, 360] as const
/** The tolerance for a box in pixels, since browsers round. */
const NEAR = 1
/** The parts whose boxes are compared: headings, facts, pictures and cards. */
const COMPARED = /^<(h1|h2|h3|img|dt|article\.Card_card|div\.Picture_frame)[.>]/

const PAGES = ['home', 'places', 'best-of', 'events', 'place', 'article'] as const

test.describe.configure({ mode: 'parallel' })

/** One page without scripts and one with late scripts: the application's files are loaded and compiled once. */
let pages: Promise<readonly [Page, Page]> | undefined

function pagesOf(browser: Browser): Promise<readonly [Page, Page]> {
  const open = async (javaScriptEnabled: boolean) => {
    const context = await browser.newContext({ javaScriptEnabled })
    // The space of ads stays reserved as long as their code neither loads nor fails.
    await context.route(/\/assets\/controller-[^/]*\.js$/, () => undefined)
    return context.newPage()
  }
  pages ??= Promise.all([open(false), open(true)])
  return pages
}

/** A page's parts at each width. */
async function rendering(page: Page): Promise<Part[][]> {
  await page.evaluate(() => document.fonts.ready)
  const widths: Part[][] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    widths.push(await parts(page))
  }
  return widths
}

/** The parts whose position or picture differs between two renderings. */
function moved(pairs: readonly [Part, Part][]): string[] {
  return pairs.flatMap(([before, after]) => {
    const isMoved = before.box.some(
      (value, side) => Math.abs(value - (after.box[side] ?? 0)) > NEAR,
    )
    const changes = [
      ...(isMoved && COMPARED.test(shown(before))
        ? [`${shown(before)} at ${before.box.join(' ')} moves to ${after.box.join(' ')}`]
        : []),
      // A lazy picture has no source before it is near.
      ...(before.picture && before.picture !== after.picture
        ? [`${before.picture} becomes ${after.picture}`]
        : []),
    ]
    return changes
  })
}

/** The differences from one rendering to another, which contains it. */
function changes(before: Part[][], after: Part[][]): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const [index, width] of WIDTHS.entries()) {
    const { pairs, missing, next } = matched(before[index] ?? [], after[index] ?? [])
    if (missing) found[`${width} px: missing`] = [shown(missing), 'after it:', ...next.map(shown)]
    const elsewhere = moved(pairs)
    if (elsewhere.length > 0) found[`${width} px: moved`] = elsewhere
  }
  return found
}

for (const name of PAGES) {
  test(`nothing moves on the page "${name}" without scripts, before them and after them`, async ({
    browser,
    baseURL,
    request,
  }) => {
    const url = `${baseURL ?? ''}${(await pagePaths(request))[name] ?? ''}`
    const [plain, scripted] = await pagesOf(browser)
    await plain.goto(url)
    const off = await rendering(plain)
    expect(off[0]?.length, 'parts of the gateway’s page').toBeGreaterThan(10)

    const release = await holdRequests(scripted, /\.js$/)
    await scripted.goto(url, { waitUntil: 'commit' })
    await expect(scripted.locator('footer')).toBeAttached()
    // A browser without scripts reserves no space for ads.
    await hideAds(scripted, true)
    // The style sheet and the fonts arrive a moment later.
    await expect(async () => {
      expect(changes(off, await rendering(scripted)), 'before the scripts').toEqual({})
    }).toPass()
    await hideAds(scripted, false)
    const late = await rendering(scripted)
    release()
    await applicationRendered(scripted)
    await settled(scripted)
    // Names that the application fetches appear a moment later.
    await expect(async () => {
      expect(changes(late, await rendering(scripted)), 'after the scripts').toEqual({})
    }).toPass()
    await scripted.unrouteAll()
  })
}
