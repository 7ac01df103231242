import type { Page } from '@playwright/test'

/** What a page's reader sees of its loading. */
export interface Vitals {
  /** When the largest thing was there, in ms since the navigation; 0 before anything is. */
  lcp: number
  /** That thing: its element and classes, or its kind where the element has been replaced since. */
  largest: string
  /** How far things moved: the sum of all shifts, so never less than the score of the worst moment. */
  cls: number
}

interface Seen extends PerformanceEntry {
  value: number
  element: Element | null
  url: string
}

/** Has the page note them from its next navigation on. */
export async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const vitals = { lcp: 0, largest: '', cls: 0 }
    Object.assign(window, { vitals })
    const observe = (type: string, note: (entry: Seen) => void) => {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) note(entry as Seen)
      })
      observer.observe({ type, buffered: true })
    }
    observe('layout-shift', ({ value }) => (vitals.cls += value))
    observe('largest-contentful-paint', ({ startTime, element, url }) => {
      vitals.lcp = startTime
      // What is told late may have been replaced already.
      const gone = url ? 'a picture' : 'a text'
      vitals.largest = element ? [element.localName, ...element.classList].join('.') : gone
    })
  })
}

/** What was noted so far. */
export function vitals(page: Page): Promise<Vitals> {
  return page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals)
}
