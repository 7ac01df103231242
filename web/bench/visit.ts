import { errors, type Browser, type Page, type Request } from '@playwright/test'
import { vitals, watchVitals, type Vitals } from '../e2e/vitals'

/** The phone that Lighthouse emulates. */
export const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  locale: 'en-CA',
}

/** The browser's own "Slow 4G": a connection of 1.6 and 0.75 Mbit/s with 150 ms of latency, per request. */
const SLOW_4G = {
  offline: false,
  /** Bytes per second. */
  downloadThroughput: ((1.6 * 1000 * 1000) / 8) * 0.9,
  uploadThroughput: ((750 * 1000) / 8) * 0.9,
  /** Milliseconds from a request to the start of its answer. */
  latency: 150 * 3.75,
}
const CPU_SLOWDOWN = 4
/** A task is long beyond this time, in ms: later answers to a tap are noticeable. */
const LONG_TASK = 50

/** A page has loaded after this time without a request, in ms: several times the pauses of the slow processor. */
const QUIET = 2_500
const TIMEOUT = 90_000

const KINDS = {
  document: 'html',
  stylesheet: 'css',
  script: 'js',
  font: 'fonts',
  image: 'pictures',
  fetch: 'data',
  xhr: 'data',
} as const

/** The transferred bytes of the response bodies, by kind. */
export type Bytes = Record<(typeof KINDS)[keyof typeof KINDS], number>

/** The cost of one visit by a new reader. */
export interface VisitCost extends Vitals {
  bytes: Bytes
  /** The sum of the parts of tasks beyond 50 ms, in ms (Total Blocking Time). */
  blocking: number
  /** The bytes of each script, by its file name without the hash. */
  scripts: Record<string, number>
  /** The number of API calls. */
  asked: number
}

/** Opens an address as a new reader on a slow phone; waits for `ready`, and then until requests stop. */
export async function visit(
  browser: Browser,
  url: string,
  ready: (page: Page) => Promise<void>,
): Promise<VisitCost> {
  // Each context has its own cache, which is empty at first.
  const context = await browser.newContext(PHONE)
  const page = await context.newPage()
  await watchVitals(page)
  await watchTasks(page)
  // Code that loads in idle time is not part of the first page.
  await page.addInitScript(() => (window.requestIdleCallback = () => 0))
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })

  const answered = watchAnswers(page)
  await page.goto(url, { timeout: TIMEOUT })
  await ready(page)
  const transfer = await answered.whenQuiet()
  const blocking = await page.evaluate(() => (window as unknown as { blocking: number }).blocking)
  const cost = { ...(await vitals(page)), ...transfer, blocking }
  await context.close()
  if (cost.lcp === 0) throw new Error(`${url} has not painted anything`)
  return cost
}

/** Records the blocking time from the page's next navigation on. Before the first paint there is nothing to tap. */
async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript((limit) => {
    const blocked = window as unknown as { blocking: number }
    blocked.blocking = 0
    const observer = new PerformanceObserver((list) => {
      const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
      for (const { startTime, duration } of list.getEntries()) {
        const begin = Math.max(startTime, painted)
        blocked.blocking += Math.max(0, startTime + duration - begin - limit)
      }
    })
    observer.observe({ type: 'longtask', buffered: true })
  }, LONG_TASK)
}

function watchAnswers(page: Page) {
  const bytes: Bytes = { html: 0, css: 0, js: 0, fonts: 0, pictures: 0, data: 0 }
  const scripts: Record<string, number> = {}
  let asked = 0
  const failed: string[] = []
  const open = new Set<Request>()
  let last = performance.now()

  const note = async (request: Request) => {
    const type = request.resourceType()
    const { pathname } = new URL(request.url())
    if (!(type in KINDS)) return
    const kind = KINDS[type as keyof typeof KINDS]
    const status = (await request.response())?.status() ?? 0
    if (status >= 400) failed.push(`${pathname}: ${status}`)
    const { responseBodySize } = await request.sizes()
    bytes[kind] += responseBodySize
    if (kind === 'data') asked += 1
    if (kind === 'js') {
      const name = (pathname.split('/').at(-1) ?? pathname).replace(/-.{8}\.m?js$/, '')
      scripts[name] = (scripts[name] ?? 0) + responseBodySize
    }
  }
  page.on('request', (request) => {
    open.add(request)
    last = performance.now()
  })
  const ended = async (request: Request) => {
    await note(request)
    open.delete(request)
    last = performance.now()
  }
  page.on('requestfinished', (request) => void ended(request))
  page.on('requestfailed', (request) => {
    failed.push(`${request.url()}: ${request.failure()?.errorText ?? 'failed'}`)
    open.delete(request)
  })

  return {
    async whenQuiet() {
      const begun = performance.now()
      while (open.size > 0 || performance.now() - last < QUIET) {
        if (performance.now() - begun > TIMEOUT) {
          const waiting = [...open].map((request) => request.url())
          throw new errors.TimeoutError(`still loading: ${waiting.join(', ')}`)
        }
        await page.waitForTimeout(100)
      }
      if (failed.length > 0) throw new Error(failed.join('; '))
      return { bytes, scripts, asked }
    },
  }
}
