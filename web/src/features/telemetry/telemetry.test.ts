import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { deferred } from '../../../test/deferred'

type Vital = { name: string; value: number }

const vitals = vi.hoisted(() => new Map<string, (vital: Vital) => void>())

vi.mock('web-vitals', () =>
  Object.fromEntries(
    ['CLS', 'FCP', 'INP', 'LCP', 'TTFB'].map((name) => [
      `on${name}`,
      (listener: (vital: Vital) => void) => vitals.set(name, listener),
    ]),
  ),
)

interface Sent {
  url: string
  request: RequestInit
  entries: Record<string, unknown>[]
}

type Listener = (change: { pathChanged: boolean }) => void

let sent: Sent[]
let routing: Record<string, Listener[]>
let client: QueryClient
let traceparents: (string | undefined)[]

const PAGES: Record<string, object> = {
  '/': { page: 'home' },
  '/cafes/oak/': { page: 'place', item: { kind: 'listing', id: 7 } },
}

/** The listeners of the window that a test has added, which its end removes. */
const listening: [string, EventListenerOrEventListenerObject][] = []

beforeEach(async () => {
  vi.resetModules()
  vitals.clear()
  routing = {}
  traceparents = []
  sent = []
  client = new QueryClient()
  window.history.replaceState(null, '', '/?q=secret#hash')
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, request = {}) => {
    const { entries } = JSON.parse(request.body as string) as Pick<Sent, 'entries'>
    sent.push({ url: url as string, request, entries })
    return new Response(null, { status: 204 })
  })
  const add = window.addEventListener.bind(window)
  vi.spyOn(window, 'addEventListener').mockImplementation((type, listener) => {
    listening.push([type, listener])
    add(type, listener)
  })
  const http = await import('#/lib/http')
  vi.spyOn(http, 'setTraceparent').mockImplementation((value) => {
    traceparents.push(value)
  })
  const { watchErrors } = await import('#/lib/script-errors')
  watchErrors()
})
afterEach(() => {
  for (const [type, listener] of listening.splice(0)) window.removeEventListener(type, listener)
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function start(): Promise<void> {
  const { measure } = await import('./telemetry')
  const router = {
    subscribe: (event: string, listener: Listener) => {
      routing[event] = [...(routing[event] ?? []), listener]
    },
  }
  measure({
    router: router as never,
    client,
    pageAt: (path) => (PAGES[path] ?? { page: 'other' }) as never,
  })
}

function route(event: string, pathChanged = true): void {
  for (const listener of routing[event] ?? []) listener({ pathChanged })
}

function open(path: string): void {
  route('onBeforeNavigate')
  window.history.pushState(null, '', path)
  route('onResolved')
  route('onRendered')
}

function hide(): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
}

function fail(
  error: unknown,
  file = `${window.location.origin}/assets/home-B3.js`,
  line = 1,
): void {
  window.dispatchEvent(new ErrorEvent('error', { error, filename: file, lineno: line, colno: 9 }))
}

const entries = () => sent.flatMap((report) => report.entries)

it('reports the views and vitals of pages when the page is hidden, without cookies and addresses', async () => {
  await start()
  vitals.get('LCP')?.({ name: 'LCP', value: 900.5 })
  open('/cafes/oak/?from=card')
  open('/cafes/oak/photos/3')
  expect(sent).toEqual([])
  vitals.get('CLS')?.({ name: 'CLS', value: 0.02 })
  vitals.get('INP')?.({ name: 'INP', value: 700_000 })
  hide()
  expect(entries()).toEqual([
    { kind: 'vital', page: 'home', name: 'LCP', value: 900.5 },
    { kind: 'view', page: 'home' },
    { kind: 'layout-shift', page: 'home', value: 0.02 },
    { kind: 'view', page: 'place', item: { kind: 'listing', id: 7 } },
  ])
  const [{ url, request } = { url: '', request: {} }] = sent
  expect(url).toBe('/api/v2/telemetry/')
  expect(request).toMatchObject({
    method: 'POST',
    credentials: 'omit',
    keepalive: true,
    referrer: '/',
  })
  expect(request.body).not.toMatch(/secret|hash|card|assets/)
  // A page that is shown again is the same view, and another query too.
  route('onResolved', false)
  hide()
  expect(sent).toHaveLength(1)
})

it('sends a full report, and at most a hundred entries of a loaded page', async () => {
  await start()
  for (let number = 0; number < 200; number += 1) {
    vitals.get('LCP')?.({ name: 'LCP', value: number })
  }
  hide()
  expect(sent.map((report) => report.entries.length)).toEqual([20, 20, 20, 20, 20])
})

it('reports each error once, by class and position, also an early one, and never its message', async () => {
  const error = new TypeError('the words of a reader')
  fail(error)
  await start()
  fail(error)
  fail(new RangeError('more words'), 'chrome-extension://words/script.js', 4)
  fail(null, '')
  const rejected = new Error('a rejected word')
  rejected.stack = `Error: a rejected word\n at x (${window.location.origin}/assets/place-1.js?v=word:3:14)`
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: rejected }))
  const expected = new Event('unhandledrejection', { cancelable: true })
  expected.preventDefault()
  window.dispatchEvent(Object.assign(expected, { reason: rejected }))
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'a word' }))
  hide()
  const errors = entries().filter(({ kind }) => kind === 'error')
  expect(errors).toEqual(
    [
      { name: 'TypeError', file: 'home-B3.js', line: 1, column: 9 },
      { name: 'RangeError', file: '', line: 4, column: 9 },
      { name: 'Error', file: '', line: 1, column: 9 },
      { name: 'Error', file: 'place-1.js', line: 3, column: 14 },
      { name: 'Error', file: '', line: 0, column: 0 },
    ].map((one) => ({ kind: 'error', page: 'home', ...one })),
  )
  expect(JSON.stringify(sent)).not.toMatch(/word/)
})

it('traces the way from a click to the page that it opens', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await start()
  const link = document.createElement('a')
  link.href = '/cafes/oak/'
  document.body.append(link)
  link.addEventListener('click', (event) => event.preventDefault())
  const click = new MouseEvent('click', { bubbles: true, cancelable: true })
  // jsdom does not take an event's time from the test's clock.
  const begun = performance.now()
  Object.defineProperty(click, 'timeStamp', { value: begun })
  link.dispatchEvent(click)
  route('onBeforeNavigate')
  const [, traceparent] = traceparents
  expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  vi.advanceTimersByTime(120)
  window.history.pushState(null, '', '/cafes/oak/')
  route('onResolved')
  // The page shows a skeleton until its data arrive.
  const data = deferred<string>()
  const fetched = client.query({ queryKey: ['data'], queryFn: () => data.promise })
  route('onRendered')
  expect(traceparents.at(-1)).toBe(traceparent)
  vi.advanceTimersByTime(80)
  data.resolve('data')
  await fetched
  await vi.waitFor(() => expect(traceparents.at(-1)).toBeUndefined())
  vi.advanceTimersByTime(1_000)
  // Back is not a click.
  open('/')
  hide()
  const clicks = entries().filter(({ kind }) => kind === 'click')
  expect(clicks).toEqual([
    {
      kind: 'click',
      page: 'place',
      traceparent,
      duration: 200,
      ago: performance.now() - begun,
    },
  ])
  link.remove()
})
