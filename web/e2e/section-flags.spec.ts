import { expect, type APIRequestContext, type Page } from '@playwright/test'
import { results } from './catalogue'
import { pageLoaded } from './requests'
import { SECTIONS, test, type Section, type Variant } from './sites'

interface Belongings {
  /** The section's API calls. */
  calls: RegExp
  /** The API's list whose first item's page is visited. */
  list: string
  /** The section's fixed paths. */
  pages: readonly [string, ...string[]]
}

const BELONGINGS: Record<Section, Belongings> = {
  listings: {
    calls: /\/api\/v2\/listing/,
    list: 'listings',
    pages: ['/places/', '/restaurants/', '/bars/'],
  },
  best_of: { calls: /\/api\/v2\/best-of-lists\//, list: 'best-of-lists', pages: ['/toronto/'] },
  neighbourhoods: {
    calls: /\/api\/v2\/neighbourhoods\/[^?]/,
    list: 'neighbourhoods',
    pages: ['/neighbourhoods/'],
  },
  articles: {
    calls: /\/api\/v2\/(articles|archives)\//,
    list: 'articles',
    pages: ['/archives/', '/news/', '/culture/', '/food/'],
  },
  events: { calls: /\/api\/v2\/events\//, list: 'events', pages: ['/events/'] },
  contests: { calls: /\/api\/v2\/contests\//, list: 'contests', pages: ['/contests/'] },
  videos: { calls: /\/api\/v2\/videos\//, list: 'videos', pages: ['/videos/'] },
}

/** Pages that every site has. */
const VISITED = ['/', '/search?q=toronto', '/contact/']
const NOT_FOUND = 'There is nothing at this address'

test.describe.configure({ mode: 'parallel' })

/** The addresses of the page's links within the site. */
async function links(page: Page): Promise<string[]> {
  return page
    .locator('a[href^="/"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
}

/** The addresses of links in the server's HTML, and in its settings for the application. */
function linksIn(html: string): string[] {
  const links = [...html.matchAll(/<a [^>]*href="?(\/[^" >]*)/g)].map(([, href]) => href ?? '')
  const settings = /id="?site-settings"?>(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  return [...links, ...textsIn(JSON.parse(settings))]
}

/** All texts in a JSON document. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** The links to one of the paths. */
function among(paths: readonly string[], found: readonly string[]): string[] {
  return found.filter((href) => paths.includes(href.replace(/[?#].*/, '')))
}

async function openChrome(page: Page): Promise<string[]> {
  const found: string[] = []
  await page.setViewportSize({ width: 768, height: 900 })
  await page.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('dialog')
  await expect(menu).toBeVisible()
  for (const name of ['Restaurants', 'Latest News', 'Places', 'More']) {
    const entry = menu.getByRole('button', { name, exact: true })
    if (await entry.count()) await entry.first().click()
  }
  found.push(...(await links(page)))
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  return found
}

async function pathsOf(request: APIRequestContext, section: Section): Promise<string[]> {
  const { list, pages } = BELONGINGS[section]
  const [first] = await results<{ name: string; share_url: string }>(
    request,
    `/api/v2/${list}/?limit=1`,
  )
  return [...pages, first?.share_url ?? '']
}

/** Sites that lack some sections: between them each variant lacks every section once. */
const SITES = [
  { variant: 'guide', without: ['listings', 'contests', 'videos'], isVisited: true },
  { variant: 'guide', without: ['best_of', 'neighbourhoods', 'articles', 'events'] },
  { variant: 'news', without: ['articles', 'best_of', 'neighbourhoods'], isVisited: true },
  { variant: 'news', without: ['listings', 'events', 'contests', 'videos'] },
] as const satisfies readonly { variant: Variant; without: Section[]; isVisited?: boolean }[]

/** Reads pages as the server sends them: pages that every site has, and the paths of sections that are off. */
async function linksOfServer(request: APIRequestContext, site: string, paths: readonly string[]) {
  const found: string[] = []
  for (const path of VISITED) {
    found.push(...linksIn(await (await request.get(site + path)).text()))
  }
  const navigation = await request.get(`${site}/api/v2/navigation/`)
  found.push(...textsIn(await navigation.json()))
  for (const path of paths) {
    const answer = await request.get(site + path)
    expect(answer.status(), path).toBe(404)
    const html = await answer.text()
    expect(/<title>(.*?) ·/.exec(html)?.[1], path).toBe('Page not found')
    found.push(...linksIn(html))
  }
  return found
}

/** Visits the same pages in the browser; returns their links and API calls. */
async function linksOfBrowser(page: Page, site: string, paths: readonly string[]) {
  const calls: string[] = []
  page.on('request', (sent) => calls.push(sent.url()))
  const found: string[] = []
  for (const path of VISITED) {
    await page.goto(site + path)
    await expect(page.locator('main h1').first()).toBeAttached()
    await pageLoaded(page)
    found.push(...(await links(page)))
  }
  found.push(...(await openChrome(page)))
  for (const path of paths) {
    await page.goto(site + path)
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(NOT_FOUND)
    found.push(...(await links(page)))
  }
  return { found, calls }
}

for (const { variant, without, ...site } of SITES) {
  test(`${variant} without ${without.join(', ')} has no page, link or call of them`, async ({
    page,
    serve,
    request,
  }) => {
    const paths = await Promise.all(without.map((section) => pathsOf(request, section)))
    const off = paths.flat()
    const address = await serve(variant, { without })
    const found = await linksOfServer(request, address, off)
    if ('isVisited' in site) {
      const firsts = paths.flatMap(([first]) => first ?? [])
      const visited = await linksOfBrowser(page, address, firsts)
      found.push(...visited.found)
      for (const section of without) {
        const { calls } = BELONGINGS[section]
        expect(visited.calls.filter((url) => calls.test(url))).toEqual([])
      }
    }
    expect(found.length).toBeGreaterThan(10)
    expect(among(off, found)).toEqual([])
    // The other sections are still there.
    for (const section of SECTIONS.filter(
      (one) => !(without as readonly Section[]).includes(one),
    )) {
      const { pages } = BELONGINGS[section]
      expect((await request.get(address + pages[0])).status(), section).toBe(200)
    }
  })
}
