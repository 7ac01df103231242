import { expect, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import postgres from 'postgres'
import { FIXED_PAGES, RESOLVED_PAGES } from '../src/routes/table'
import { pagePaths, restrictedArticle, results } from './catalogue'
import { settled } from './layout'
import { matched, parts, shown, type Part } from './rendering'
import { env, test } from './sites'

/**
 * * The gateway's templates and the application render the same page: each element of the server's page is in the
 * application's page too, in the same order, with the same words and links, and at the same position.
 */

const WIDTHS = [1440, 360] as const
/** The tolerance for a box in pixels, since browsers round. */
const NEAR = 1
/** The parts whose boxes are compared: headings, facts, pictures and cards. */
const COMPARED = /^<(h1|h2|h3|img|dt|article\.Card_card|div\.Picture_frame)[.>]/

/**
 * A reader whose scripts do not load, and readers with another language and time zone and with the site's. A browser
 * with scripts disabled reserves no space for ads, so it would differ from the others.
 */
const READERS = [
  {},
  { locale: 'de-DE', timezoneId: 'Europe/Berlin' },
  { locale: 'en-CA', timezoneId: 'America/Toronto' },
] as const satisfies readonly BrowserContextOptions[]

/** The pages with dates, which are compared for each reader. Others are compared for the reader from elsewhere. */
const WITH_DATES = ['/', '/events/', '/archives/', 'article', 'event', 'contest']

test.describe.configure({ mode: 'parallel' })

/** One page for each reader: the application's files are loaded and compiled once. */
let pages: Promise<Page[]> | undefined

function pagesOf(browser: Browser): Promise<Page[]> {
  const open = async (reader: BrowserContextOptions, index: number) => {
    const context = await browser.newContext(reader)
    if (index === 0) await context.route(/\.js$/, (route) => route.abort())
    // The space of ads stays reserved as long as their code neither loads nor fails.
    else await context.route(/\/assets\/controller-[^/]*\.js$/, () => undefined)
    return context.newPage()
  }
  pages ??= Promise.all(READERS.map(open))
  return pages
}

/** A page's title, and its parts at each width. */
interface Rendering {
  title: string
  widths: Part[][]
}

async function rendering(page: Page): Promise<Rendering> {
  await page.evaluate(() => document.fonts.ready)
  const widths: Part[][] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    widths.push(await parts(page))
  }
  return { title: await page.title(), widths }
}

/** The parts whose position differs between the two renderings. */
function moved(pairs: readonly [Part, Part][]): string[] {
  return pairs
    .filter(([server]) => COMPARED.test(shown(server)))
    .filter(([server, application]) =>
      server.box.some((value, side) => Math.abs(value - (application.box[side] ?? 0)) > NEAR),
    )
    .map(
      ([server, application]) =>
        `${shown(server)} at ${server.box.join(' ')} moves to ${application.box.join(' ')}`,
    )
}

/** The differences between the server's rendering and the application's. */
function changes(served: Rendering, rendered: Rendering): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  if (rendered.title !== served.title) found.title = [served.title, rendered.title]
  for (const [index, width] of WIDTHS.entries()) {
    const { pairs, missing, next } = matched(
      served.widths[index] ?? [],
      rendered.widths[index] ?? [],
    )
    if (missing) found[`${width} px: missing`] = [shown(missing), 'after it:', ...next.map(shown)]
    const elsewhere = moved(pairs)
    if (elsewhere.length > 0) found[`${width} px: moved`] = elsewhere
  }
  return found
}

async function compare(browser: Browser, url: string, hasDates = false): Promise<void> {
  const [plain, elsewhere, here] = await pagesOf(browser)
  if (!plain || !elsewhere || !here) throw new Error('No reader')
  await plain.goto(url)
  const served = await rendering(plain)
  expect(served.widths[0]?.length, 'parts of the server’s').toBeGreaterThan(10)
  for (const page of hasDates ? [elsewhere, here] : [elsewhere]) {
    await page.goto(url)
    // Only the application renders the bar's buttons; a dialog may cover them.
    await expect(page.locator('header button').first()).toBeAttached()
    await settled(page)
    // Names that the application fetches appear a moment later.
    await expect(async () => {
      expect(changes(served, await rendering(page)), url).toEqual({})
    }).toPass()
  }
}

// Guests are redirected from the dashboard to the log-in page; the open places change between two requests.
const ELSEWHERE: readonly string[] = ['/accounts/dashboard', '/tonight/']
const FIXED = FIXED_PAGES.map(({ path }) => path).filter((path) => !ELSEWHERE.includes(path))
const PATHS = [...FIXED, '/tonight/?at=03%3A00', '/search?q=a+%26+b']

for (const path of PATHS) {
  test(`the server and the application render ${path} alike`, async ({ browser, baseURL }) => {
    await compare(browser, `${baseURL ?? ''}${path}`, WITH_DATES.includes(path))
  })
}

/** The names of kinds in `pagePaths`, if they differ from the table's. */
const NAMES: Record<string, string> = {
  listing: 'place',
  'listing-type': 'type',
  page: 'static-page',
}
const KINDS = Object.keys(RESOLVED_PAGES).map((kind) => NAMES[kind] ?? kind)

for (const kind of [...KINDS, 'section', 'best-of', 'place-without-picture']) {
  test(`the server and the application render the page "${kind}" alike`, async ({
    browser,
    baseURL,
    request,
  }) => {
    const path = (await pagePaths(request))[kind] ?? ''
    expect(path).not.toBe('')
    await compare(browser, `${baseURL ?? ''}${path}`, WITH_DATES.includes(kind))
  })
}

test('the server and the application render an age-restricted article alike', async ({
  browser,
  baseURL,
  request,
}) => {
  const { share_url: path } = await restrictedArticle(request)
  await compare(browser, `${baseURL ?? ''}${path}`)
})

/** Gives most places votes, with means of all kinds. */
async function giveVotes(): Promise<void> {
  const sql = postgres(env('OTHERS_DATABASE'), { max: 1 })
  const voted = await sql`
    INSERT INTO places.listing_votes (listing_id, count, sum)
    SELECT id, count, count + id * 7 % (4 * count + 1)
    FROM (SELECT id, id % 80 * 20 + 4 AS count FROM places.listings WHERE id % 5 > 0) AS votes
    ON CONFLICT (listing_id) DO UPDATE SET count = excluded.count, sum = excluded.sum`
  await sql.end()
  expect(voted.count).toBeGreaterThan(100)
}

test('the server and the application render the news site, with votes on its places, alike', async ({
  browser,
  request,
  serve,
}) => {
  await giveVotes()
  const site = await serve('news')
  const [list] = await results(request, `${site}/api/v2/best-of-lists/?limit=1`)
  for (const path of ['/', '/places/', list?.share_url ?? '']) await compare(browser, site + path)
})
