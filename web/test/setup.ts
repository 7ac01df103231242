import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll, vi } from 'vitest'
import { beginFile } from './begin-file'

// Files share the environment of their worker, because making one takes longer than most tests.
beginFile()

// jsdom has no layout: every media query is false, a large screen without preferences.
window.matchMedia = (media: string) =>
  ({
    media,
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }) as unknown as MediaQueryList

window.scrollTo = () => {}
Element.prototype.scrollIntoView = () => {}

// Nothing has a size, so no size ever changes.
window.ResizeObserver = class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

// Nothing has a position, so everything is near.
window.IntersectionObserver = class {
  readonly root = null
  readonly rootMargin = ''
  readonly scrollMargin = ''
  readonly thresholds: readonly number[] = []
  readonly #tell: () => void

  constructor(tell: IntersectionObserverCallback) {
    this.#tell = () => tell([{ isIntersecting: true } as IntersectionObserverEntry], this)
  }

  observe(): void {
    this.#tell()
  }
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): IntersectionObserverEntry[] {
    return []
  }
}

// The API's client loads with the first call, which a test with a stopped clock would not wait for.
beforeAll(async () => {
  const { prepareApi } = await import('#/lib/api')
  await prepareApi()
})

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  window.localStorage.clear()
})

// On a busy machine loading a page's code takes a while.
configure({ asyncUtilTimeout: 10_000 })
