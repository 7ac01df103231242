import type { Page, Request } from '@playwright/test'
import { rendered } from './clock'

/** A path of the site that its pages do not request. */
const MARKER = '/robots.txt'

/** Holds the matching requests of a page; returns a function that releases them. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => void> {
  let release = (): void => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  await page.route(url, async (route) => {
    await isReleased
    // The page may have cancelled the request.
    await route.fallback().catch(() => undefined)
  })
  return release
}

/**
 * Waits until every request that the page has sent is reported to the test: the browser reports
 * requests in order, so it sends one more and waits for that.
 */
export async function requestsReported(page: Page): Promise<void> {
  const reported = page.waitForRequest((request) => new URL(request.url()).pathname === MARKER)
  await page.evaluate(async (path) => {
    await (await fetch(path, { cache: 'no-store' })).text()
  }, MARKER)
  await reported
}

/**
 * Requests that are not awaited: an event stream does not end, and the browser may take half a minute to renew a stale
 * response that it has used.
 */
const ENDLESS = ['eventsource', 'other']

/**
 * * Waits until every response to a GET request of the page has arrived, and to the requests that those have caused.
 */
export async function pageLoaded(page: Page): Promise<void> {
  const awaited = new Set<Request>()
  for (;;) {
    await requestsReported(page)
    const requests = await page.requests()
    // Requests of the previous page may never end.
    const start = requests.findLastIndex(
      (request) => request.isNavigationRequest() && request.frame() === page.mainFrame(),
    )
    const pending = requests
      .slice(Math.max(start, 0))
      .filter(
        (request) =>
          !awaited.has(request) &&
          request.method() === 'GET' &&
          !ENDLESS.includes(request.resourceType()) &&
          new URL(request.url()).pathname !== MARKER,
      )
    if (pending.length === 0) return
    for (const request of pending) {
      awaited.add(request)
      // The body is known once the response is complete; a failed request and a redirect have none.
      // `finished()` would need a listener from before the request.
      const response = await request.response().catch(() => null)
      await response?.body().catch(() => undefined)
    }
    await rendered(page)
  }
}
