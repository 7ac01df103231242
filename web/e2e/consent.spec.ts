import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { results } from './catalogue'
import { test as facebookTest } from './facebook'
import { axe, applicationRendered } from './layout'
import { logIn, newReader, register } from './reader'
import { pageLoaded } from './requests'
import { command, test as base } from './sites'
import { vitals, watchVitals } from './vitals'

const banner = (page: Page) => page.getByRole('region', { name: 'Content of other companies' })
const ON_PRIVACY = 'section[aria-labelledby=other-companies]'
const section = (page: Page) => page.locator(ON_PRIVACY)
const answer = (page: Page, name: string) => banner(page).getByRole('button', { name })

/**
 * The page shows no banner. It would have requested the banner's code when the application replaced
 * the server's markup.
 */
async function isNotAsked(page: Page): Promise<void> {
  await applicationRendered(page)
  await pageLoaded(page)
  await expect(banner(page)).toHaveCount(0)
}

/** A browser with Global Privacy Control turned on. */
async function refuseByBrowser(context: BrowserContext): Promise<void> {
  await context.setExtraHTTPHeaders({ 'Sec-GPC': '1' })
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })
  })
}

/** The foreign origins that a browser sends requests to. */
function othersAsked(context: BrowserContext, site: string): Set<string> {
  const asked = new Set<string>()
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== site && protocol.startsWith('http')) asked.add(origin)
  })
  return asked
}

interface Item {
  name: string
  share_url: string
  is_closed?: boolean
  coordinates?: unknown
  is_age_restricted?: boolean
  source_url?: string
}

async function openPlace(site: string, page: Page): Promise<void> {
  const places = await results<Item>(page.request, `${site}/api/v2/listings/?limit=100`)
  const place = places.find((one) => !one.is_closed && one.coordinates !== null)
  await page.goto(site + (place?.share_url ?? '/no-place/'))
  await applicationRendered(page)
}

async function openVideo(site: string, page: Page): Promise<Item> {
  const videos = await results<Item>(page.request, `${site}/api/v2/videos/?limit=100`)
  const video = videos.find((one) => !one.is_age_restricted)
  if (!video) throw new Error('No video for everybody')
  await page.goto(site + video.share_url)
  await applicationRendered(page)
  return video
}

/** A third party's server of street maps. */
interface Streets {
  host: string
  origin: string
  /** The setting of a site's file that uses them. */
  map: string
}

const test = base.extend<object, { streets: Streets }>({
  streets: [
    // oxlint-disable-next-line no-empty-pattern -- it names the fixtures that this one needs
    async ({}, provide) => {
      const server = createServer((_, response) => {
        response.setHeader('Access-Control-Allow-Origin', '*')
        response.setHeader('Content-Type', 'application/json')
        const sources = {
          streets: {
            type: 'geojson',
            data: { type: 'LineString', coordinates: [[-79.5, 43.6], [-79.2, 43.7]] }, // prettier-ignore
            attribution: 'Streets of somebody',
          },
        }
        const layers = [{ id: 'streets', type: 'line', source: 'streets' }]
        response.end(JSON.stringify({ version: 8, sources, layers }))
      }).listen(0, '127.0.0.1')
      await new Promise((listening) => server.once('listening', listening))
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
      const origin = `http://${host}`
      await provide({ host, origin, map: `[map]\nstyle = "${origin}/style.json"\n` })
      server.close()
    },
    { scope: 'worker' },
  ],
})

test('readers are asked only where the site’s file says that its law asks', async ({
  page,
  serve,
}) => {
  await page.goto('/')
  await isNotAsked(page)
  const news = await serve('news')
  await page.goto(news)
  await expect(banner(page)).toBeVisible()
  // Cached pages are the same for everyone: they contain no question.
  expect(await (await page.request.get(news)).text()).not.toContain('Only what is needed')
})

// `consent.test.tsx` tests both answers.
test('an answer is remembered by this device, in every tab, and changed at /privacy/', async ({
  page,
  context,
  serve,
}) => {
  const site = await serve('news')
  await page.goto(site)
  const other = await context.newPage()
  await other.goto(`${site}/news/`)
  await expect(banner(other)).toBeVisible()
  await answer(page, 'Accept all').click()
  for (const tab of [page, other]) await expect(banner(tab)).toHaveCount(0)
  await other.reload()
  await isNotAsked(other)
  await page.goto(`${site}/privacy/`)
  await expect(section(page)).toContainText('You accepted all on')
  const button = (label: string) => section(page).getByRole('button', { name: label })
  await expect(button('Accept all')).toHaveAttribute('aria-pressed', 'true')
  await button('Only what is needed').click()
  await page.reload()
  await expect(button('Only what is needed')).toHaveAttribute('aria-pressed', 'true')
})

test('the banner moves nothing, holds no focus, and is reached by the keyboard first', async ({
  browser,
  serve,
}) => {
  const site = await serve('news')
  for (const width of [360, 1440]) {
    const height = 760
    const page = await browser.newPage({ viewport: { width, height } })
    await watchVitals(page)
    await page.goto(site)
    await expect(banner(page)).toBeVisible()
    await pageLoaded(page)
    expect((await vitals(page)).cls, `${width} px`).toBeLessThan(0.02)
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth, `${width} px`).toBe(clientWidth)
    const [all, needed] = await Promise.all(
      ['Accept all', 'Only what is needed'].map((name) => answer(page, name).boundingBox()),
    )
    // Both answers have equal weight.
    expect(needed?.width).toBeCloseTo(all?.width ?? 0, 0)
    expect(needed?.height).toBeCloseTo(all?.height ?? 0, 0)
    expect(Math.min(all?.height ?? 0, needed?.height ?? 0)).toBeGreaterThanOrEqual(44)
    expect((await banner(page).boundingBox())?.height, `${width} px`).toBeLessThan(height * 0.15)
    await axe(page, `the banner at ${width} px`)

    // On a small screen a button shows the whole wording.
    const details = banner(page).getByRole('button', { name: 'Details' })
    const privacy = banner(page).getByRole('link', { name: 'Privacy' })
    await expect(details).toBeVisible({ visible: width < 1020 })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(width < 1020 ? details : privacy).toBeFocused()
    if (width < 1020) {
      await page.keyboard.press('Enter')
      await expect(privacy).toBeInViewport()
      await axe(page, `the whole wording at ${width} px`)
      await page.keyboard.press('Enter')
      await expect(privacy).toBeHidden()
      await page.setViewportSize({ width: 768, height })
      await expect(details).toBeVisible()
      expect((await banner(page).boundingBox())?.height, '768 px').toBeLessThan(height * 0.15)
    }
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Tab')
    await expect(banner(page).locator(':focus')).toHaveCount(0)
    await page.keyboard.press('Shift+Tab')
    await expect(answer(page, 'Only what is needed')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(banner(page)).toHaveCount(0)
    await expect(page.locator('main')).toBeFocused()
    await page.close()
  }
})

test('the banner never covers a dialog', async ({ page, serve }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(`${await serve('news')}/?signupDialogActive`)
  await expect(page.getByRole('dialog')).toBeVisible()
  // A dialog hides the rest of the page from screen readers.
  const shown = page.locator('[data-consent]')
  await expect(shown).toBeAttached()
  const { x, y, width, height } = (await shown.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 } // prettier-ignore
  const isOnTop = await page.evaluate(
    ([left, top]) => document.elementFromPoint(left, top)?.closest('[data-consent]') !== null,
    [x + width / 2, y + height / 2] as const,
  )
  expect(isOnTop).toBe(false)
})

test('nothing of other companies is asked for before an answer, and streets only where they are allowed', async ({
  context,
  page,
  serve,
  streets,
}) => {
  const site = await serve('news', { also: streets.map })
  const asked = othersAsked(context, site)
  for (const path of ['/', '/videos/']) {
    await page.goto(site + path)
    await applicationRendered(page)
    await pageLoaded(page)
  }
  await openPlace(site, page)
  await page.getByRole('button', { name: 'Show the map' }).click()
  await expect(page.locator('canvas')).toBeVisible()
  const question = page.getByRole('group', { name: /^The streets of this map come from/ })
  await expect(question).toContainText(streets.host)
  await axe(page, 'the question below the map', 'main section')
  expect([...asked]).toEqual([])

  // "Once" is only for this map.
  await question.getByRole('button', { name: 'Show the streets' }).click()
  await expect(page.getByText('Streets of somebody')).toBeVisible()
  expect([...asked]).toEqual([streets.origin])
  await page.reload()
  await page.getByRole('button', { name: 'Show the map' }).click()
  await question.getByRole('button', { name: 'Always allow' }).click()
  await expect(page.getByText('Streets of somebody')).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
  await page.reload()
  await page.getByRole('button', { name: 'Show the map' }).click()
  await expect(page.getByText('Streets of somebody')).toBeVisible()
  await expect(question).toHaveCount(0)
})

test('a video’s host is asked about in place, and then opened', async ({
  context,
  page,
  serve,
}) => {
  const site = await serve('news')
  const video = await openVideo(site, page)
  const host = new URL(video.source_url ?? '').origin
  await context.route(
    (url) => url.origin === host,
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>Player</title>' }),
  )
  const asked = othersAsked(context, site)
  await page.getByRole('link', { name: `Play ${video.name}` }).click()
  const question = page.getByRole('group', { name: /^The video comes from/ })
  await expect(question).toBeFocused()
  await axe(page, 'the question below the video', 'main')
  expect([...asked]).toEqual([])
  const opened = context.waitForEvent('page')
  await question.getByRole('link', { name: 'Always allow' }).click()
  await expect(await opened).toHaveTitle('Player')
  expect([...asked]).toEqual([host])
  await expect(question).toHaveCount(0)
  await expect(banner(page)).toHaveCount(0)
  const again = context.waitForEvent('page')
  await page.getByRole('link', { name: `Play ${video.name}` }).click()
  await expect(await again).toHaveTitle('Player')
})

test('Global Privacy Control is a refusal, whatever was chosen', async ({
  browser,
  serve,
  streets,
}) => {
  const site = await serve('news', { also: streets.map })
  const context = await browser.newContext()
  await refuseByBrowser(context)
  const asked = othersAsked(context, site)
  const page = await context.newPage()
  await page.goto(site)
  await isNotAsked(page)
  // An answer from before the signal does not count.
  await page.evaluate(async () => {
    const { consent } = (await (await fetch('/api/v2/site/')).json()) as {
      consent: { version: string }
    }
    const kept = { choice: 'all', at: 0, version: consent.version, unrecordedOf: null }
    localStorage.setItem('consent', JSON.stringify(kept))
  })
  await openPlace(site, page)
  await page.getByRole('button', { name: 'Show the map' }).click()
  await expect(page.locator('canvas')).toBeVisible()
  const question = page.getByRole('group', { name: /^The streets of this map come from/ })
  await expect(question).toContainText('Global Privacy Control')
  await expect(question.getByRole('button', { name: 'Always allow' })).toHaveCount(0)
  await openVideo(site, page)
  await page.goto(`${site}/privacy/`)
  await expect(section(page)).toContainText(
    'Your browser asks us not to share what you do with others (Global Privacy Control); we treat it as a refusal.',
  )
  await expect(section(page).getByRole('button')).toHaveCount(0)
  await axe(page, 'privacy with Global Privacy Control', ON_PRIVACY)
  expect([...asked]).toEqual([])
  await context.close()
})

test('the choice on the privacy page is accessible, and its text is readable without scripts', async ({
  browser,
  page,
}) => {
  await page.goto('/privacy/')
  await expect(section(page)).toContainText('You have not chosen.')
  await axe(page, 'privacy')
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth, `${width} px`).toBe(clientWidth)
  }
  const plain = await browser.newPage({ javaScriptEnabled: false })
  await plain.goto(page.url())
  await expect(plain.locator(ON_PRIVACY)).toContainText('learn your network address')
  await plain.close()
})

async function newDevice(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage()
}

test('a reader’s choice is in the ledger, and holds on another device that has none', async ({
  browser,
  serve,
}) => {
  const site = await serve('news')
  const phone = await newDevice(browser)
  const reader = await register(phone, newReader(), site)
  await phone.goto(site)
  const recorded = phone.waitForResponse(
    (one) => one.url().endsWith('/me/consent/') && one.request().method() === 'PUT',
  )
  await answer(phone, 'Accept all').click()
  expect((await recorded).status()).toBe(200)
  const shown = await command({}, 'consent', 'show', reader.email)
  expect(shown).toContain('given third_parties  by settings  on /')
  expect(shown).toContain('learn your network address and may recognise you.')

  const laptop = await newDevice(browser)
  await laptop.goto(site)
  await expect(banner(laptop)).toBeVisible()
  await logIn(laptop, reader, site)
  await laptop.reload()
  await isNotAsked(laptop)
  await laptop.goto(`${site}/privacy/`)
  await expect(section(laptop)).toContainText('You accepted all on')
  const withdrawn = laptop.waitForResponse((one) => one.url().endsWith('/me/consent/'))
  await section(laptop).getByRole('button', { name: 'Only what is needed' }).click()
  await withdrawn
  expect(await command({}, 'consent', 'show', reader.email)).toContain('withdrawn third_parties')

  // A browser that sends a refusal does not take over the account's answer.
  const strict = await newDevice(browser)
  await refuseByBrowser(strict.context())
  await logIn(strict, reader, site)
  await strict.goto(`${site}/privacy/`)
  await expect(section(strict)).toContainText('Global Privacy Control')
  for (const page of [phone, laptop, strict]) await page.context().close()
})

facebookTest(
  'a browser that refuses is asked before it goes to Facebook',
  async ({ browser, facebook: { site } }) => {
    const context = await browser.newContext()
    await refuseByBrowser(context)
    const asked = othersAsked(context, site)
    const page = await context.newPage()
    await page.goto(site)
    await page.getByRole('button', { name: 'Log in or sign up' }).click()
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign up or Log in' })
    await dialog.getByRole('link', { name: 'Log in with Facebook' }).click()
    const question = dialog.getByRole('group', { name: 'This log-in is by Facebook' })
    await expect(question).toBeFocused()
    expect([...asked]).toEqual([])
    await question.getByRole('link', { name: 'Go on to Facebook' }).click()
    await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
    expect(asked.size).toBe(1)
    await context.close()
  },
)
