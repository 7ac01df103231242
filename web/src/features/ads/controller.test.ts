import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Ad, AdSlot } from '#/api/types'
import { BREAKPOINTS } from '#/lib/breakpoints'
import { showAds } from './controller'
import { Fills } from './fills'
import { elementId, type PageSubject, type Screen } from './slots'

const slot = (position: string, screens: Screen[], sizes: string[]): AdSlot => ({
  position,
  pages: ['article'],
  at: 'lead',
  box: 'leaderboard',
  screens,
  sizes,
})
const WIDE = slot('wide', ['medium', 'large'], ['728x90', '970x90'])
const TALL = slot('tall', ['large'], ['300x250'])
const NARROW = slot('narrow', ['x_small', 'small'], ['320x100'])
const SLOTS = [WIDE, TALL, NARROW]

const ABOUT: PageSubject = { page: 'article', section: 'news', article: 7, tags: ['a', 'b'] }

function ad(
  position: string,
  width: number,
  height: number,
  kind: 'image' | 'native' = 'image',
): Ad {
  const creative = {
    kind,
    advertiser: 'Harbour Kayaks',
    click_url: '/c/',
    token: position,
    ...{ frame_url: '/f/', alt: '', headline: null, text: null, call: null, picture_url: null },
  }
  const about = { article_id: null, article_category: null, boxType: 'leaderboard' as const }
  const where = { elementId: `ad-${position}`, advert_position: position, screenTypes: [] }
  return { id: position, ...about, ...where, width, height, creative }
}

let width = 1200
let crossed: (() => void)[] = []
let leaving = new AbortController()
let fills = new Fills()
let calls: URLSearchParams[] = []
let answer: (query: URLSearchParams) => Promise<Ad[]>

/** Sets the width of the window, like a reader who drags its edge. */
function resize(to: number): void {
  const limits = [BREAKPOINTS.xSmall, BREAKPOINTS.small, BREAKPOINTS.medium]
  const isCrossed = limits.some((limit) => width <= limit !== to <= limit)
  width = to
  if (isCrossed) crossed.forEach((tell) => tell())
}

beforeEach(() => {
  vi.useFakeTimers()
  width = 1200
  crossed = []
  leaving = new AbortController()
  fills = new Fills()
  calls = []
  answer = async () => []
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({
        get matches() {
          return width <= Number(/\d+/.exec(media)?.[0])
        },
        addEventListener: (_: string, tell: () => void) => crossed.push(tell),
        removeEventListener: (_: string, tell: () => void) => {
          crossed = crossed.filter((known) => known !== tell)
        },
      }) as unknown as MediaQueryList,
  )
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const request = input as Request
    const url = new URL(request.url)
    expect(url.pathname).toBe('/api/v2/ads/')
    expect(request.credentials).toBe('omit')
    calls.push(url.searchParams)
    return Response.json({ results: await answer(url.searchParams) })
  })
  for (const one of SLOTS) {
    fills.mount(one.position)
    const element = document.createElement('div')
    element.id = elementId(one)
    document.body.append(element)
  }
})
afterEach(() => {
  leaving.abort()
  vi.useRealTimers()
  onlineManager.setOnline(true)
  document.body.replaceChildren()
})

const show = () =>
  showAds({ about: ABOUT, slots: SLOTS, ads: { slots: SLOTS }, fills, signal: leaving.signal })
const passTime = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
const states = () => SLOTS.map(({ position }) => `${position} ${fills.of(position).state}`)
const screens = () => calls.map((query) => query.get('screen'))

it('requests all slots of a page once, with the page’s subject', async () => {
  answer = async () => [ad('wide', 970, 90), ad('tall', 300, 250)]
  show()
  await passTime(10_000)
  expect(calls.map((query) => Object.fromEntries(query))).toEqual([
    { page: 'article', screen: 'large', section: 'news', article_id: '7', tags: 'a,b' },
  ])
  expect(states()).toEqual(['wide filled', 'tall filled', 'narrow reserved'])
})

it.each<[string, () => Promise<Ad[]>]>([
  ['has nothing', async () => []],
  ['has no creative', async () => [{ ...ad('wide', 970, 90), creative: null }]],
  ['has a size that the slot does not allow', async () => [ad('wide', 970, 250)]],
  ['fails', async () => Promise.reject(new TypeError('blocked'))],
])('collapses the screen’s slots if the server %s', async (_, result) => {
  answer = result
  show()
  await passTime(0)
  expect(states()).toEqual(['wide collapsed', 'tall collapsed', 'narrow reserved'])
})

it('collapses the slots after five seconds without an answer', async () => {
  vi.useRealTimers()
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  show()
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  expect(timeout).toHaveBeenCalledWith(5_000)
})

it('requests nothing while offline', async () => {
  onlineManager.setOnline(false)
  show()
  await passTime(10_000)
  expect(calls).toEqual([])
  expect(states()).toEqual(['wide collapsed', 'tall collapsed', 'narrow reserved'])
})

it('requests nothing while the page is prerendered', async () => {
  Object.assign(document, { prerendering: true })
  show()
  await passTime(10_000)
  expect(calls).toEqual([])
  Object.assign(document, { prerendering: false })
  document.dispatchEvent(new Event('prerenderingchange'))
  await passTime(0)
  expect(screens()).toEqual(['large'])
})

it('reacts once, 300 ms after the last of several changes of the screen', async () => {
  answer = async (query) =>
    query.get('screen') === 'large'
      ? [ad('wide', 728, 90), ad('tall', 300, 250)]
      : [ad('wide', 728, 90), ad('narrow', 320, 100)]
  show()
  await passTime(0)
  const before = fills.of('wide')
  for (const to of [1019, 1020, 940, 941, 940]) {
    resize(to)
    await passTime(299)
    expect(calls).toHaveLength(1)
  }
  await passTime(1)
  expect(screens()).toEqual(['large', 'small'])
  expect(states()).toEqual(['wide reserved', 'tall reserved', 'narrow filled'])
  expect(before.state).toBe('filled')
  await passTime(10_000)
  expect(calls).toHaveLength(2)
})

it('does nothing if the screen is the same again, and keeps slots that both screens show', async () => {
  answer = async (query) => [
    ad('wide', 728, 90),
    ...(query.get('screen') === 'large' ? [ad('tall', 300, 250)] : []),
  ]
  show()
  await passTime(0)
  const shown = fills.of('wide')
  resize(1019)
  resize(1020)
  await passTime(10_000)
  expect(calls).toHaveLength(1)

  resize(1019)
  await passTime(300)
  // A medium screen adds no size.
  expect(calls).toHaveLength(1)
  expect(states()).toEqual(['wide filled', 'tall reserved', 'narrow reserved'])
  resize(1020)
  await passTime(300)
  expect(screens()).toEqual(['large', 'large'])
  expect(states()).toEqual(['wide filled', 'tall filled', 'narrow reserved'])
  expect(fills.of('wide')).toBe(shown)
})

it('replaces an ad that is too wide for the new screen', async () => {
  answer = async (query) => [
    query.get('screen') === 'large' ? ad('wide', 970, 90) : ad('wide', 728, 90),
  ]
  show()
  await passTime(0)
  resize(1000)
  await passTime(300)
  expect(screens()).toEqual(['large', 'medium'])
  expect(fills.of('wide')).toMatchObject({ state: 'filled', ad: { width: 728 } })
})

it('keeps a native ad, which fits any slot', async () => {
  answer = async () => [ad('wide', 1, 1, 'native')]
  show()
  await passTime(0)
  resize(1000)
  await passTime(300)
  expect(calls).toHaveLength(1)
  expect(fills.of('wide').state).toBe('filled')
})

it('ignores a late answer for a slot that another screen has removed', async () => {
  let arrive = (): void => {}
  answer = (query) =>
    query.get('screen') === 'large'
      ? new Promise((resolve) => (arrive = () => resolve([ad('tall', 300, 250)])))
      : Promise.resolve([])
  show()
  await passTime(0)
  resize(500)
  await passTime(300)
  arrive()
  await passTime(0)
  expect(states()).toEqual(['wide reserved', 'tall reserved', 'narrow collapsed'])
})

it.each([0, 200])(
  'neither requests nor shows anything after the reader has left the page',
  async (at) => {
    let arrive = (): void => {}
    answer = () => new Promise((resolve) => (arrive = () => resolve([ad('wide', 970, 90)])))
    show()
    await passTime(at)
    resize(500)
    leaving.abort()
    arrive()
    await passTime(10_000)
    expect(calls).toHaveLength(1)
    expect(states()).toEqual(['wide reserved', 'tall reserved', 'narrow reserved'])
    expect(crossed).toEqual([])
  },
)

it('requests slots of parts of the page that render later', async () => {
  fills = new Fills()
  answer = async () => [ad('wide', 970, 90), ad('tall', 300, 250)]
  show()
  await passTime(10_000)
  expect(calls).toEqual([])
  fills.mount('wide')
  fills.mount('tall')
  await passTime(0)
  expect(screens()).toEqual(['large'])
  expect(states()).toEqual(['wide filled', 'tall filled', 'narrow reserved'])
})

it('requests nothing until a slot is near', async () => {
  let come = (): void => {}
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: IntersectionObserverCallback) {
        come = () => tell([{ isIntersecting: true } as IntersectionObserverEntry], this as never)
      }
      observe() {}
      disconnect() {}
    },
  )
  show()
  await passTime(10_000)
  expect(calls).toEqual([])
  resize(500)
  await passTime(300)
  expect(calls).toEqual([])
  come()
  await passTime(0)
  expect(screens()).toEqual(['x_small'])
  vi.unstubAllGlobals()
})
