import { expect, type Page, type Request } from '@playwright/test'
import { pagePaths } from './catalogue'
import { applicationRendered, settled } from './layout'
import { scrollDown } from './scrolling'

export const ADS = '**/api/v2/ads/?*'
const SCREENS = ['x_small', 'small', 'medium', 'large'] as const
type Screen = (typeof SCREENS)[number]

/** The sizes of ads by box type, including the size of text ads. */
export const SIZES: Record<string, readonly string[]> = {
  leaderboard: ['728x90', '970x90', '970x250', '1x1'],
  big_box: ['300x250', '300x600'],
  mobile: ['320x100', '320x50', '300x250'],
}

/** The widths on both sides of a breakpoint between two screens. */
export const CROSSING = [639, 640] as const

export function screenOf(width: number): Screen {
  if (width <= 639) return 'x_small'
  if (width <= 940) return 'small'
  return width <= 1019 ? 'medium' : 'large'
}

/** Collects the requests of a page to matching addresses. */
export function requestsOf(page: Page, matches: (url: URL) => boolean): Request[] {
  const found: Request[] = []
  page.on('request', (request) => {
    if (matches(new URL(request.url()))) found.push(request)
  })
  return found
}

export const isAdsRequest = ({ pathname }: URL): boolean => pathname === '/api/v2/ads/'

/** An ad on the page: its slot, its form and the size of its content. */
interface ShownAd {
  slot: string
  kind: 'frame' | 'native'
  width: number
  height: number
}

/** All ads of the page, inside and outside the viewport. */
export function shownAds(page: Page): Promise<ShownAd[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main [role=group][aria-label=Advertisement]')].flatMap(
      (slot) => {
        const content = slot.querySelector('iframe') ?? slot.querySelector('.AdSlot_native')
        if (!content || !slot.checkVisibility()) return []
        const { width, height } = content.getBoundingClientRect()
        const kind = content instanceof HTMLIFrameElement ? 'frame' : 'native'
        return [{ slot: slot.id, kind, width, height } as const]
      },
    ),
  )
}

/**
 * Scrolls through the page, a screen at a time, like a reader, until no shown slot is empty: late
 * content makes the page longer, and late code has not seen the reader pass.
 */
export async function readToEnd(page: Page): Promise<void> {
  await expect(async () => {
    await scrollDown(page)
    await settled(page)
    expect(await emptySlots(page)).toEqual([])
    expect(await isAtEnd(page), 'the page has become longer').toBe(true)
  }).toPass()
}

function isAtEnd(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { scrollTop, scrollHeight, clientHeight } = document.documentElement
    return scrollTop + clientHeight >= scrollHeight - 1
  })
}

/** The shown slots without an ad. */
function emptySlots(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main [role=group][aria-label=Advertisement]')]
      .filter((slot) => slot.checkVisibility() && !slot.querySelector('iframe, .AdSlot_native'))
      .map(({ id }) => id),
  )
}

/** Waits until every shown slot has an ad. */
export async function allFilled(page: Page): Promise<void> {
  await expect.poll(() => emptySlots(page)).toEqual([])
}

/** The path of a page of {@link pagePaths}. */
export async function pathOf(page: Page, name: string): Promise<string> {
  const path = (await pagePaths(page.request))[name]
  if (!path) throw new Error(`no page ${name}`)
  return path
}

/** Removes the timeout of a page's request for ads: the browser's own timer is not part of a fake clock. */
export async function waitForAds(page: Page): Promise<void> {
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal
  })
}

/** Opens a page, and scrolls through it until its ads are shown. */
export async function openPage(page: Page, path: string, width: number): Promise<void> {
  await waitForAds(page)
  await page.setViewportSize({ width, height: 900 })
  const answered = page.waitForResponse(ADS)
  await page.goto(path)
  await applicationRendered(page)
  await readToEnd(page)
  await answered
}

interface Creative {
  kind: 'image' | 'html' | 'native'
  advertiser: string
  frame_url: string | null
  alt: string | null
  headline: string | null
  text: string | null
  call: string | null
  picture_url: string | null
  click_url: string
  token: string
}

/** An ad for a slot: its size, and the differences from a picture ad of a kayak rental. */
interface AdAnswer {
  size: string
  creative?: Partial<Creative> | null
}

const CREATIVE: Creative = {
  kind: 'image',
  advertiser: 'Harbour Kayaks',
  frame_url: '/api/v2/ads/creatives/stand-in/',
  alt: 'Two kayaks at dawn',
  headline: null,
  text: null,
  call: null,
  picture_url: null,
  click_url: '/api/v2/ads/clicks/stand-in/',
  token: 'stand-in',
}

/**
 * * Answers requests for ads in place of the server, if a test needs ads that the demo city's campaigns do not have,
 * such as those of a hostile advertiser: by position, with the document of their frames.
 */
export async function answerAds(
  page: Page,
  ads: Record<string, AdAnswer>,
  document = '<!doctype html><body style="margin:0;background:#1f5f5b"></body>',
): Promise<void> {
  await page.route(ADS, (route) => {
    const results = Object.entries(ads).map(([position, { size, creative }]) => {
      const [width = 0, height = 0] = size.split('x').map(Number)
      return {
        id: `${position} ${size}`,
        boxType: 'leaderboard',
        width,
        height,
        elementId: `ad-${position}`,
        screenTypes: SCREENS,
        advert_position: position,
        article_id: null,
        article_category: null,
        creative: creative === null ? null : { ...CREATIVE, token: position, ...creative },
      }
    })
    return route.fulfill({ json: { results, server_time: new Date().toISOString() } })
  })
  await page.route('**/api/v2/ads/creatives/stand-in/', (route) =>
    route.fulfill({ contentType: 'text/html', body: document }),
  )
  await page.route('**/api/v2/ads/events/', (route) => route.fulfill({ json: { results: [] } }))
}
