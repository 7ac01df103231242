import type { Page } from '@playwright/test'

/** The web vitals of a page's load. */
export interface Vitals {
  /** The largest contentful paint, in ms since the navigation; 0 before the first paint. */
  lcp: number
  /** The element of that paint with its classes, or only its kind if it has been replaced since. */
  largest: string
  /** The sum of all layout shifts, so never less than the score of the worst session window. */
  cls: number
  /** The elements that those shifts moved, each with its score and the change of its top and height. */
  moved: string[]
}

interface Seen extends PerformanceEntry {
  value: number
  element: Element | null
  url: string
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/** Records the page's vitals from its next navigation on. */
export async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const vitals: Vitals = { lcp: 0, largest: '', cls: 0, moved: [] }
    Object.assign(window, { vitals })
    const observe = (type: string, note: (entry: Seen) => void) => {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) note(entry as Seen)
      })
      observer.observe({ type, buffered: true })
    }
    const box = ({ top, height }: DOMRectReadOnly) => `${Math.round(top)}+${Math.round(height)}`
    observe('layout-shift', ({ value, startTime, sources }) => {
      vitals.cls += value
      for (const { node, previousRect, currentRect } of sources) {
        const element = node instanceof Element ? node : node?.parentElement
        const name = element ? `${element.localName}.${element.className}` : 'something'
        const change = `${box(previousRect)} to ${box(currentRect)}`
        vitals.moved.push(`${value.toFixed(4)} at ${Math.round(startTime)} ms: ${name} ${change}`)
      }
    })
    observe('largest-contentful-paint', ({ startTime, element, url }) => {
      vitals.lcp = startTime
      // The element of a late entry may have been replaced.
      const gone = url ? 'a picture' : 'a text'
      vitals.largest = element ? [element.localName, ...element.classList].join('.') : gone
    })
  })
}

/** The vitals recorded so far. */
export function vitals(page: Page): Promise<Vitals> {
  return page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals)
}
