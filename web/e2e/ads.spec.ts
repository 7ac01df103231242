import { expect, test, type Page } from '@playwright/test'
import {
  ADS,
  allFilled,
  answerAds,
  CROSSING,
  isAdsRequest,
  openPage,
  pathOf,
  readToEnd,
  requestsOf,
  screenOf,
  shownAds,
  SIZES,
  waitForAds,
} from './ads'
import { restrictedArticle } from './catalogue'
import { rendered, stopClock } from './clock'
import { applicationRendered, settled } from './layout'
import { holdRequests, pageLoaded, requestsReported } from './requests'
import { scrollDown } from './scrolling'

/** The width of a screen of each kind. */
const WIDTHS = [360, 768, 980, 1440] as const
/** Pages with ads of each kind: on the front page, beside a text, below one, below a list. */
const PAGES = ['home', 'section', 'article', 'place', 'event', 'places'] as const
/** The pages that are opened on the screens between the narrowest and the widest. */
const BETWEEN = ['home', 'article'] as const
/** A resize has ended this long after the last crossing of a breakpoint, in milliseconds. */
const RESIZED = 300
/** An ad is viewable after this time in view, in milliseconds (src/features/ads/viewable.ts). */
const CONTINUOUS = 1_000
/** How long an event waits for others, in milliseconds (src/features/ads/events.ts). */
const EVENTS_WAIT = 1_000
/** The height of a line of text with its spacing, in CSS pixels. */
const LINE = 32

test.describe.configure({ mode: 'parallel' })

interface Slot {
  position: string
  pages: string[]
  box: string
  screens: string[]
}

async function slotsOf(page: Page): Promise<Slot[]> {
  const site = await page.request.get('/api/v2/site/')
  return ((await site.json()) as { ads: { slots: Slot[] } }).ads.slots
}

for (const width of WIDTHS) {
  test(`the sizes of ads at ${width} px are those of the screen`, async ({ page }) => {
    const slots = await slotsOf(page)
    const asked = requestsOf(page, isAdsRequest)
    const screen = screenOf(width)
    let count = 0
    const names = width === 360 || width === 1440 ? PAGES : BETWEEN
    for (const name of names) {
      await openPage(page, await pathOf(page, name), width)
      await allFilled(page)
      const ads = await shownAds(page)
      count += ads.length
      for (const { slot: id, kind, ...size } of ads) {
        const slot = slots.find(({ position }) => `ad-${position}` === id)
        expect(slot?.screens, id).toContain(screen)
        expect(size.width, `${id} at ${width} px`).toBeLessThanOrEqual(width)
        if (kind === 'frame') {
          expect(SIZES[slot?.box ?? '']).toContain(`${size.width}x${size.height}`)
        }
      }
    }
    expect(count).toBeGreaterThan(names.length - 1)
    // One request for each page, which contains only the screen and the page's subject.
    expect(asked).toHaveLength(names.length)
    for (const request of asked) {
      const query = new URL(request.url()).searchParams
      expect(query.get('screen')).toBe(screen)
      const known = ['page', 'screen', 'section', 'article_id', 'listing_type', 'neighbourhood']
      expect([...known, 'tags']).toEqual(expect.arrayContaining([...query.keys()]))
    }
  })
}

// `controller.test.ts` tests the other changes of the screen.
test('dragging the window across a breakpoint acts once', async ({ page }) => {
  const [below, above] = CROSSING
  await page.clock.install()
  await answerAds(page, {
    lead: { size: '728x90' },
    'lead-tablet': { size: '300x250' },
    'lead-phone': { size: '320x100' },
    side: { size: '300x250' },
  })
  await openPage(page, await pathOf(page, 'article'), below)
  await expect.poll(async () => (await shownAds(page)).length).toBeGreaterThan(0)
  const before = await shownAds(page)
  const asked = requestsOf(page, isAdsRequest)
  const screens = () => asked.map((request) => new URL(request.url()).searchParams.get('screen'))
  await stopClock(page)
  for (const width of [above, below, above, below, above]) {
    await page.setViewportSize({ width, height: 900 })
    await rendered(page)
    await page.clock.runFor(RESIZED - 1)
    await requestsReported(page)
    expect(asked).toHaveLength(0)
  }
  await page.clock.runFor(1)
  await expect.poll(screens).toEqual([screenOf(above)])
  const slotsShown = async () => (await shownAds(page)).map(({ slot }) => slot)
  await expect.poll(slotsShown).not.toEqual(before.map(({ slot }) => slot))
  await page.clock.runFor(10 * RESIZED)
  await requestsReported(page)
  expect(screens()).toEqual([screenOf(above)])
  const after = await shownAds(page)
  const slots = await slotsOf(page)
  for (const { slot: id } of after) {
    const slot = slots.find(({ position }) => `ad-${position}` === id)
    expect(slot?.screens).toContain(screenOf(above))
  }
  // On the first screen again, the slots that the other screen did not show are filled.
  await page.setViewportSize({ width: below, height: 900 })
  await rendered(page)
  await page.clock.runFor(RESIZED)
  await expect.poll(slotsShown).toEqual(before.map(({ slot }) => slot))
  await page.clock.runFor(10 * RESIZED)
  await requestsReported(page)
  const isShown = ({ slot }: { slot: string }) => after.some((other) => other.slot === slot)
  const again = before.every(isShown) ? [] : [screenOf(below)]
  expect(screens()).toEqual([screenOf(above), ...again])
})

test('ads are requested without a cookie or an identifier, and events are reported without one', async ({
  page,
  context,
  baseURL,
}) => {
  await context.addCookies([{ name: 'marker', value: 'a-reader', url: baseURL ?? '' }])
  const sent = requestsOf(page, ({ pathname }) => pathname.startsWith('/api/v2/ads/'))
  await answerAds(page, { lead: { size: '970x90' } })
  await openPage(page, await pathOf(page, 'article'), 1440)
  const ofKind = (word: string) => sent.filter((one) => one.url().includes(word)).length
  await expect.poll(() => ofKind('/events/')).toBeGreaterThan(0)
  expect(ofKind('/creatives/')).toBeGreaterThan(0)
  // In a frame without credentials, a test sees the headers before the browser removes some of them.
  const isWithout = (frame: Element) => (frame as { credentialless?: boolean }).credentialless
  expect(await page.locator('#ad-lead iframe').evaluate(isWithout)).toBe(true)
  for (const request of sent.filter((one) => one.resourceType() !== 'document')) {
    const headers = await request.allHeaders()
    expect(headers.cookie, request.url()).toBeUndefined()
    expect(headers.authorization).toBeUndefined()
  }
  // As a control, the page's other requests have the cookie.
  const { cookie } = await (
    await Promise.all([page.waitForRequest((one) => one.isNavigationRequest()), page.reload()])
  )[0].allHeaders()
  expect(cookie).toContain('a-reader')
})

test('no ad is above the page’s first content on any screen', async ({ page }) => {
  for (const [name, content] of [
    ['article', '.article_story'],
    ['place', '.Detail_story'],
    ['event', '.Detail_story'],
    ['home', 'main .Card_cover'],
    ['section', 'main .Card_cover'],
    ['places', 'main .Grid_grid'],
  ] as const) {
    await page.goto(await pathOf(page, name))
    await applicationRendered(page)
    await settled(page)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await rendered(page)
      const above = await page.evaluate((selector) => {
        const text = document.querySelector(selector)
        if (!text) return ['no content']
        const { top, left, right } = text.getBoundingClientRect()
        const slots = [...document.querySelectorAll('main [role=group][aria-label=Advertisement]')]
        const isAbove = (slot: Element): boolean => {
          const box = slot.getBoundingClientRect()
          const isBeside = box.right <= left || box.left >= right
          return slot.checkVisibility() && !isBeside && box.top < top
        }
        return slots.filter(isAbove).map((slot) => slot.id)
      }, content)
      expect(above, `${name} at ${width} px`).toEqual([])
    }
  }
})

test('an ad is viewable after half of it has been in sight for a second, and not before', async ({
  page,
}) => {
  await page.clock.install()
  await answerAds(page, { lead: { size: '970x90' } })
  const events: { kind: string; token: string }[] = []
  await page.route('**/api/v2/ads/events/', async (route) => {
    const body = route.request().postDataJSON() as { events: typeof events }
    events.push(...body.events)
    await route.fulfill({ json: { results: [] } })
  })
  // The ads arrive after the clock has stopped and the reader is at the top of the page again.
  await waitForAds(page)
  const release = await holdRequests(page, ADS)
  const asked = requestsOf(page, isAdsRequest)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(await pathOf(page, 'article'))
  await applicationRendered(page)
  await expect(async () => {
    await scrollDown(page)
    expect(asked).toHaveLength(1)
  }).toPass()
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await rendered(page)
  await stopClock(page)
  release()
  const frame = page.locator('#ad-lead iframe')
  await expect(frame).toBeAttached()
  /** Scrolls so that this share of the frame's height is above the viewport's lower edge. */
  const show = async (share: number) => {
    await frame.evaluate((element, part) => {
      const { top, height } = element.getBoundingClientRect()
      const by = top + height * part - window.innerHeight
      window.scrollBy({ top: by, behavior: 'instant' })
    }, share)
    await rendered(page)
  }
  /** Sends the queued events, and returns those of a kind. */
  const sent = async (kind: string) => {
    await page.clock.runFor(EVENTS_WAIT)
    await requestsReported(page)
    return events.filter((event) => event.kind === kind)
  }
  await expect.poll(async () => (await sent('impression')).length).toBe(1)
  await show(0.4)
  await page.clock.runFor(5 * CONTINUOUS)
  expect(await sent('viewable')).toEqual([])
  await show(0.6)
  await page.clock.runFor(CONTINUOUS - 1)
  await show(0.2)
  await page.clock.runFor(5 * CONTINUOUS)
  expect(await sent('viewable')).toEqual([])
  await show(0.6)
  await page.clock.runFor(CONTINUOUS)
  expect(await sent('viewable')).toEqual([{ kind: 'viewable', token: 'lead' }])
  await page.clock.runFor(5 * CONTINUOUS)
  expect(await sent('viewable')).toHaveLength(1)
})

test('a creative cannot read the page, move the window, set a cookie or get the pointer', async ({
  page,
  context,
}) => {
  // The possible attacks of an advertiser's document; each attempt writes its outcome into its own title.
  const hostile = `<!doctype html><title>-</title><body style="margin:0;background:#c8452f">
    <button autofocus style="width:100%;height:100%">x</button><script>
    const tried = {}
    const attempt = (name, act) => { try { act(); tried[name] = 'done' } catch (error) { tried[name] = error.name } }
    attempt('read', () => parent.document.body.textContent)
    attempt('read settings', () => parent.document.getElementById('site-settings').textContent)
    attempt('cookie', () => { document.cookie = 'ad=1; path=/' })
    attempt('storage', () => localStorage.setItem('ad', '1'))
    attempt('navigate', () => { top.location.href = 'https://elsewhere.invalid/' })
    attempt('open', () => { if (!open('https://elsewhere.invalid/')) throw new TypeError() })
    attempt('alert', () => alert('hello'))
    document.querySelector('button').focus()
    addEventListener('click', () => parent.postMessage({ pressed: true }, '*'))
    addEventListener('pointerdown', () => document.body.setPointerCapture?.(1), true)
    fetch('/api/v2/profiles/hi/').then(
      (answer) => { tried.fetch = answer.type + answer.status }, () => { tried.fetch = 'refused' },
    ).finally(() => parent.postMessage({ tried }, '*'))
    </script>`
  await answerAds(page, { lead: { size: '970x90', creative: { kind: 'html' } } }, hostile)
  await page.addInitScript(() => {
    const heard: unknown[] = []
    Object.assign(window, { heard })
    window.addEventListener('message', ({ data }) => heard.push(data))
  })
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const path = await pathOf(page, 'article')
  await openPage(page, path, 1440)
  const slot = page.locator('#ad-lead')
  await slot.scrollIntoViewIfNeeded()
  const heard = () =>
    page.evaluate(
      () => (window as unknown as { heard: { tried?: Record<string, string> }[] }).heard,
    )
  await expect.poll(async () => (await heard()).length).toBeGreaterThan(0)
  const [{ tried } = {}] = await heard()
  expect(tried).toMatchObject({
    read: 'SecurityError',
    'read settings': 'SecurityError',
    cookie: 'SecurityError',
    storage: 'SecurityError',
    navigate: 'SecurityError',
    open: 'TypeError',
    fetch: 'refused',
  })
  expect(new URL(page.url()).pathname).toBe(path)
  expect(context.pages()).toHaveLength(1)
  expect(dialogs).toEqual([])
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('ad')
  // The frame never has the focus or the pointer.
  const focused = () => page.evaluate(() => document.activeElement?.localName)
  await expect.poll(focused).not.toBe('iframe')
  const box = await slot.locator('iframe').boundingBox()
  if (!box) throw new Error('no frame')
  const under = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x ?? 0, y ?? 0)?.localName,
    [box.x + box.width / 2, box.y + box.height / 2],
  )
  expect(under).toBe('a')
  const opened = context.waitForEvent('page')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  expect(new URL((await opened).url() || 'about:blank').pathname).toMatch(/blank|clicks/)
  expect((await heard()).some((message) => 'pressed' in message)).toBe(false)
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab']) {
    await page.keyboard.press(key)
    expect(await focused()).not.toBe('iframe')
  }
})

/** The largest gap between two non-empty parts of the page, in CSS pixels. */
function gaps(page: Page): Promise<{ slots: number; sideways: number }> {
  return page.evaluate(() => {
    const slots = [...document.querySelectorAll('[id^=ad-]')]
    const heights = slots.map((slot) => slot.getBoundingClientRect().height)
    const { scrollWidth, clientWidth } = document.documentElement
    return { slots: Math.max(0, ...heights), sideways: scrollWidth - clientWidth }
  })
}

// `ads.test.tsx` tests a server that fails or has none.
const BLOCKERS: Record<string, (page: Page) => Promise<unknown>> = {
  'the request is refused': (page) => page.route('**/api/v2/ads/**', (route) => route.abort()),
  'their code is refused': (page) =>
    page.route(/\/assets\/controller-[^/]*\.js$/, (route) => route.abort()),
  'elements are hidden': async (page) => {
    await page.addInitScript(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('[id^="ad-"], .AdSlot_slot { display: none !important }')
      document.adoptedStyleSheets.push(sheet)
    })
  },
}

for (const [what, block] of Object.entries(BLOCKERS)) {
  test(`the page has no gaps when ${what}`, async ({ page }) => {
    await block(page)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    // Every cause leaves the same empty slots: one of them is checked on several pages.
    const more = what === 'the request is refused' ? (['home', 'places'] as const) : []
    for (const [index, name] of (['article', ...more] as const).entries()) {
      const widths = [360, 1440]
      // The second width is reached by a resize: half of them grow, the others shrink.
      if (index % 2 === 1) widths.reverse()
      await page.setViewportSize({ width: widths[0] ?? 0, height: 900 })
      await page.goto(await pathOf(page, name))
      await applicationRendered(page)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await settled(page)
        await readToEnd(page)
        await expect
          .poll(async () => (await gaps(page)).slots, { message: `${name} at ${width} px` })
          .toBeLessThanOrEqual(LINE)
        expect((await gaps(page)).sideways).toBe(0)
        await expect(page.locator('main h1').first()).toBeAttached()
      }
    }
    expect(errors).toEqual([])
  })
}

test('nothing is advertised beside what has an age limit, before and after the question', async ({
  page,
}) => {
  const asked = requestsOf(page, isAdsRequest)
  const pages = () => asked.map((request) => new URL(request.url()).searchParams.get('page'))
  const article = await restrictedArticle(page.request)
  const slots = page.getByRole('group', { name: 'Advertisement' })
  await page.goto(article.share_url)
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await pageLoaded(page)
  expect(await page.locator('[id^=ad-]').count()).toBe(0)
  await page.getByRole('button', { name: 'Yes, I am of legal age' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(page.locator('.Prose_prose').first()).toBeVisible()
  await readToEnd(page)
  await pageLoaded(page)
  await expect(slots).toHaveCount(0)
  // The next page has ads: the first request is for them.
  await page.locator('.article_head .Kicker_kicker a').click()
  await expect(page).not.toHaveURL(article.share_url)
  await readToEnd(page)
  await expect.poll(pages).toEqual(['section'])
})
