import type { WorkboxPlugin } from 'workbox-core/types'
import { ExpirationPlugin, type ExpirationPluginOptions } from 'workbox-expiration'
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { registerRoute, setCatchHandler } from 'workbox-routing'
import { CacheFirst, NetworkFirst } from 'workbox-strategies'
import {
  DAYS,
  isGone,
  isOfRelease,
  isPage,
  isPublic,
  offlinePage,
  pageKey,
  PAGES,
  TONIGHT,
  type KeptPage,
  type Message,
} from './rules'

/**
 * The service worker: pages that the reader has opened, and their code and pictures, open offline. It waits until no page
 * of the former release is open; each release has its own pages and files, so two releases never mix.
 */

/** The files of this release, which the build inserts; the first is its script. */
declare const __FILES__: readonly [string, ...string[]]
/** The style sheet of this release. */
declare const __STYLES__: string

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface Worker {
  addEventListener(name: 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(
    name: 'message',
    listener: (event: ExtendableEvent & { data: Message }) => void,
  ): void
}

const worker = self as unknown as Worker

const [SCRIPT] = __FILES__
/** The cache of this release's pages. */
const CACHE = `${PAGES}${SCRIPT}`
const DAY_CACHE = `${DAYS}${SCRIPT}`
/** How long a page waits for the network if it is stored, in seconds. */
const TIMEOUT = 5
const MAX_PAGES = 60
const MAX_PICTURES = 200
const WEEK = 7 * 24 * 60 * 60

cleanupOutdatedCaches()
precacheAndRoute(__FILES__.map((url) => ({ url, revision: null })))

const pages = new NetworkFirst({
  cacheName: CACHE,
  networkTimeoutSeconds: TIMEOUT,
  plugins: [
    {
      cacheWillUpdate: async ({ response }) =>
        (await isOfRelease(response, SCRIPT)) ? response : null,
      // A withdrawn page must not stay readable.
      fetchDidSucceed: async ({ request, response }) => {
        if (isGone(response)) await (await caches.open(CACHE)).delete(pageKey(request.url))
        return response
      },
      cacheKeyWillBeUsed: ({ request }) => Promise.resolve(pageKey(request.url)),
    },
    bounded({ maxEntries: MAX_PAGES }),
  ],
})

registerRoute(({ request, url }) => request.mode === 'navigate' && isPage(url), pages)

const day = new NetworkFirst({
  cacheName: DAY_CACHE,
  networkTimeoutSeconds: TIMEOUT,
  plugins: [
    { cacheWillUpdate: ({ response }) => Promise.resolve(isPublic(response) ? response : null) },
  ],
})

registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname === TONIGHT.file, day)

registerRoute(
  ({ request, sameOrigin }) => sameOrigin && request.destination === 'image',
  new CacheFirst({
    cacheName: 'pictures',
    plugins: [
      { cacheWillUpdate: ({ response }) => Promise.resolve(isPublic(response) ? response : null) },
      bounded({ maxEntries: MAX_PICTURES, maxAgeSeconds: WEEK }),
    ],
  }),
)

setCatchHandler(async ({ request }) => {
  if (request.mode !== 'navigate') return Response.error()
  return new Response(offlinePage(await keptPages(), __STYLES__), {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
})

/** The library's types are not exact about optional properties. */
function bounded(options: ExpirationPluginOptions): WorkboxPlugin {
  return new ExpirationPlugin(options) as WorkboxPlugin
}

async function keptPages(): Promise<KeptPage[]> {
  const cache = await caches.open(CACHE)
  const requests = await cache.keys()
  return Promise.all(
    requests.map(async (request) => {
      const html = (await (await cache.match(request))?.text()) ?? ''
      return { path: new URL(request.url).pathname, html }
    }),
  )
}

/** Fetches pages that the reader has not opened by their address. */
async function keep(event: ExtendableEvent, paths: readonly string[]): Promise<void> {
  const urls = paths.map((path) => new URL(path, location.origin)).filter(isPage)
  const fetches = urls.map(({ href }) => pages.handle({ event, request: new Request(href) }))
  if (urls.some(({ pathname }) => pathname === TONIGHT.page)) {
    fetches.push(day.handle({ event, request: new Request(TONIGHT.file) }))
  }
  await Promise.allSettled(fetches)
}

worker.addEventListener('message', (event) => {
  if ('keep' in event.data) event.waitUntil(keep(event, event.data.keep))
})

worker.addEventListener('activate', (event) => event.waitUntil(renew(event)))

/** Replaces the pages of former releases. */
async function renew(event: ExtendableEvent): Promise<void> {
  const names = await caches.keys()
  const former = names.filter((name) => name.startsWith(PAGES) && name !== CACHE)
  for (const name of former) {
    const requests = await (await caches.open(name)).keys()
    await keep(
      event,
      requests.map(({ url }) => new URL(url).pathname),
    )
    await caches.delete(name)
  }
  const days = names.filter((name) => name.startsWith(DAYS) && name !== DAY_CACHE)
  await Promise.all(days.map((name) => caches.delete(name)))
}
