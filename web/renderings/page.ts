import type * as ReactDom from 'react-dom/client'
import { vi } from 'vitest'
import { builtinEnvironments } from 'vitest/runtime'

/** A page as the gateway serves it. */
export interface ServedPage {
  path: string
  html: string
  /** Answers to further calls, by their path. */
  answers: Record<string, unknown>
}

/** A site's pages, as `deploy/server/tests/system/renderings.rs` writes them. */
export interface ServedSite {
  /** The server's time. */
  now: string
  origin: string
  pages: ServedPage[]
}

/** Opens a page in a new window, for a reader in a zone. The application has not started. */
export async function openPage(
  { now, origin }: ServedSite,
  { path, html, answers }: ServedPage,
  zone: string,
): Promise<void> {
  process.env.TZ = zone
  const jsdom = { html, url: origin + path, runScripts: 'outside-only' }
  const { teardown } = await builtinEnvironments.jsdom.setup(globalThis, { jsdom })
  endPage = async () => {
    for (const root of roots.splice(0)) root.unmount()
    // React cleans up in a separate task.
    await new Promise((resolve) => setImmediate(resolve))
    vi.unstubAllGlobals()
    await teardown(globalThis)
    Object.assign(globalThis, NATIVE)
  }
  // A browser that refuses content of other companies is not asked about it.
  Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })
  // Code that waits for the whole page, such as the code of ads, does not load.
  Object.defineProperty(document, 'readyState', { value: 'interactive' })
  window.addEventListener('load', (event) => event.stopImmediatePropagation(), true)
  vi.stubGlobal('matchMedia', (media: string) => ({ media, matches: false, ...NO_EVENTS }))
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('ResizeObserver', Observer)
  // Nothing comes near the viewport.
  vi.stubGlobal('IntersectionObserver', Observer)
  vi.stubGlobal('fetch', (call: string | URL | Request) => {
    const { pathname, search } = new URL(call instanceof Request ? call.url : call)
    const answer = answers[pathname + search]
    return answer === undefined
      ? new Promise(() => undefined)
      : Promise.resolve(new Response(JSON.stringify(answer)))
  })
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] })
}

/** The classes that the environment replaces and does not restore. */
const NATIVE = { Request, URL }

const NO_EVENTS = { addEventListener: () => undefined, removeEventListener: () => undefined }

class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

const roots: ReactDom.Root[] = []
let endPage = (): Promise<void> => Promise.resolve()

vi.mock('react-dom/client', async (original) => {
  const real = await original<typeof ReactDom>()
  const createRoot: typeof real.createRoot = (...around) => {
    const root = real.createRoot(...around)
    roots.push(root)
    return root
  }
  return { ...real, createRoot }
})

/** Ends the application and its window. */
export async function closePage(): Promise<void> {
  await endPage()
  endPage = () => Promise.resolve()
  vi.useRealTimers()
}

/** Starts the application in the open page; returns the kind of the page. */
export async function startApplication(): Promise<string> {
  vi.resetModules()
  await import('#/main')
  const { pageAt } = await import('#/routes/measured-page')
  return pageAt(window.location.pathname).page
}
