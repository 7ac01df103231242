import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Ad, AdSlot } from '#/api/types'
import { BREAKPOINTS } from '#/lib/breakpoints'
import { showAds } from './controller'
import { Fills } from './fills'
import { elementId, type PageOfAds, type Screen } from './slots'

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

const ABOUT: PageOfAds = { page: 'article', section: 'news', article: 7, tags: ['a', 'b'] }

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
let asked: URLSearchParams[] = []
let answer: (query: URLSearchParams) => Promise<Ad[]>

/** Makes the window so wide, as a reader who drags its edge does. */
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
  asked = []
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
    asked.push(url.searchParams)
    return Response.json({ results: await answer(url.searchParams) })
  })
  for (const one of SLOTS) {
    fills.enter(one.position)
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
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
const states = () => SLOTS.map(({ position }) => `${position} ${fills.of(position).state}`)
const screens = () => asked.map((query) => query.get('screen'))

it('asks once for all slots of a page, by what the page is about', async () => {
  answer = async () => [ad('wide', 970, 90), ad('tall', 300, 250)]
  show()
  await pass(10_000)
  expect(asked.map((query) => Object.fromEntries(query))).toEqual([
    { page: 'article', screen: 'large', section: 'news', article_id: '7', tags: 'a,b' },
  ])
  expect(states()).toEqual(['wide filled', 'tall filled', 'narrow reserved'])
})

it.each<[string, () => Promise<Ad[]>]>([
  ['has nothing', async () => []],
  ['has no creative', async () => [{ ...ad('wide', 970, 90), creative: null }]],
  ['has a size that the slot does not allow', async () => [ad('wide', 970, 250)]],
  ['fails', async () => Promise.reject(new TypeError('blocked'))],
])('gives up the room of the screen’s slots where the server %s', async (_, result) => {
  answer = result
  show()
  await pass(0)
  expect(states()).toEqual(['wide collapsed', 'tall collapsed', 'narrow reserved'])
})

it('gives up the room after five seconds without an answer', async () => {
  vi.useRealTimers()
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  show()
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  expect(timeout).toHaveBeenCalledWith(5_000)
})

it('asks for nothing without a network', async () => {
  onlineManager.setOnline(false)
  show()
  await pass(10_000)
  expect(asked).toEqual([])
  expect(states()).toEqual(['wide collapsed', 'tall collapsed', 'narrow reserved'])
})

it('asks for nothing while the page is made ready in the background', async () => {
  Object.assign(document, { prerendering: true })
  show()
  await pass(10_000)
  expect(asked).toEqual([])
  Object.assign(document, { prerendering: false })
  document.dispatchEvent(new Event('prerenderingchange'))
  await pass(0)
  expect(screens()).toEqual(['large'])
})

it('acts once, 300 ms after the last of several changes of the screen', async () => {
  answer = async (query) =>
    query.get('screen') === 'large'
      ? [ad('wide', 728, 90), ad('tall', 300, 250)]
      : [ad('wide', 728, 90), ad('narrow', 320, 100)]
  show()
  await pass(0)
  const before = fills.of('wide')
  for (const to of [1019, 1020, 940, 941, 940]) {
    resize(to)
    await pass(299)
    expect(asked).toHaveLength(1)
  }
  await pass(1)
  expect(screens()).toEqual(['large', 'small'])
  expect(states()).toEqual(['wide reserved', 'tall reserved', 'narrow filled'])
  expect(before.state).toBe('filled')
  await pass(10_000)
  expect(asked).toHaveLength(2)
})

it('does nothing where the screen is the same again, and leaves alone what both screens show', async () => {
  answer = async (query) => [
    ad('wide', 728, 90),
    ...(query.get('screen') === 'large' ? [ad('tall', 300, 250)] : []),
  ]
  show()
  await pass(0)
  const shown = fills.of('wide')
  resize(1019)
  resize(1020)
  await pass(10_000)
  expect(asked).toHaveLength(1)

  resize(1019)
  await pass(300)
  // Nothing is newly allowed on a medium screen.
  expect(asked).toHaveLength(1)
  expect(states()).toEqual(['wide filled', 'tall reserved', 'narrow reserved'])
  resize(1020)
  await pass(300)
  expect(screens()).toEqual(['large', 'large'])
  expect(states()).toEqual(['wide filled', 'tall filled', 'narrow reserved'])
  expect(fills.of('wide')).toBe(shown)
})

it('replaces an ad that is too wide for the new screen', async () => {
  answer = async (query) => [
    query.get('screen') === 'large' ? ad('wide', 970, 90) : ad('wide', 728, 90),
  ]
  show()
  await pass(0)
  resize(1000)
  await pass(300)
  expect(screens()).toEqual(['large', 'medium'])
  expect(fills.of('wide')).toMatchObject({ state: 'filled', ad: { width: 728 } })
})

it('keeps a native ad, which takes the room that there is', async () => {
  answer = async () => [ad('wide', 1, 1, 'native')]
  show()
  await pass(0)
  resize(1000)
  await pass(300)
  expect(asked).toHaveLength(1)
  expect(fills.of('wide').state).toBe('filled')
})

it('does not bring back by a late answer what another screen has removed', async () => {
  let arrive = (): void => {}
  answer = (query) =>
    query.get('screen') === 'large'
      ? new Promise((resolve) => (arrive = () => resolve([ad('tall', 300, 250)])))
      : Promise.resolve([])
  show()
  await pass(0)
  resize(500)
  await pass(300)
  arrive()
  await pass(0)
  expect(states()).toEqual(['wide reserved', 'tall reserved', 'narrow collapsed'])
})

it.each([0, 200])('neither asks nor shows anything once the page is left', async (at) => {
  let arrive = (): void => {}
  answer = () => new Promise((resolve) => (arrive = () => resolve([ad('wide', 970, 90)])))
  show()
  await pass(at)
  resize(500)
  leaving.abort()
  arrive()
  await pass(10_000)
  expect(asked).toHaveLength(1)
  expect(states()).toEqual(['wide reserved', 'tall reserved', 'narrow reserved'])
  expect(crossed).toEqual([])
})

it('asks for parts of the page that come later once they are there', async () => {
  fills = new Fills()
  answer = async () => [ad('wide', 970, 90), ad('tall', 300, 250)]
  show()
  await pass(10_000)
  expect(asked).toEqual([])
  fills.enter('wide')
  fills.enter('tall')
  await pass(0)
  expect(screens()).toEqual(['large'])
  expect(states()).toEqual(['wide filled', 'tall filled', 'narrow reserved'])
})

it('asks for nothing until a slot is near', async () => {
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
  await pass(10_000)
  expect(asked).toEqual([])
  resize(500)
  await pass(300)
  expect(asked).toEqual([])
  come()
  await pass(0)
  expect(screens()).toEqual(['x_small'])
  vi.unstubAllGlobals()
})
