import type { Page } from '@playwright/test'

/** An element of a rendering, in the order of the document. */
export interface Part {
  tag: string
  classes: readonly string[]
  /** The element's own text, without the text of its children. */
  text: string
  /** The path or address of a link. */
  href: string | null
  /** The picture that the browser has chosen for an image; empty if it has chosen none yet. */
  picture: string
  /** x, y, width and height, in whole pixels of the document. */
  box: readonly number[]
}

/**
 * The elements of the page's content and footer, without elements that the server reserves for a
 * control (`data-reserved`), which are empty.
 */
export function parts(page: Page): Promise<Part[]> {
  return page.evaluate(() => {
    const found: Part[] = []
    const note = (element: Element): void => {
      if (element.hasAttribute('data-reserved')) return
      const { x, y, width, height } = element.getBoundingClientRect()
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
      const text = own.map((node) => node.textContent).join('')
      found.push({
        tag: element.localName,
        classes: [...element.classList].sort(),
        text: text.replace(/\s+/g, ' ').trim(),
        href: element instanceof HTMLAnchorElement ? element.href : null,
        picture: element instanceof HTMLImageElement ? element.currentSrc : '',
        box: [x + window.scrollX, y + window.scrollY, width, height].map(Math.round),
      })
      for (const child of element.children) note(child)
    }
    for (const root of document.querySelectorAll('main > *, footer')) note(root)
    return found
  })
}

/** Hides or shows the space of ads. */
export function hideAds(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate(
    (value) => {
      for (const slot of document.querySelectorAll<HTMLElement>('.AdSlot_slot')) {
        slot.style.display = value
      }
    },
    isHidden ? 'none' : '',
  )
}

/** A part as text, for comparisons and failure messages. */
export function shown({ tag, classes, text, href }: Part): string {
  return [
    `<${[tag, ...classes].join('.')}>`,
    ...(text ? [JSON.stringify(text)] : []),
    ...(href ? [`-> ${href}`] : []),
  ].join(' ')
}

/**
 * * Pairs each of the server's parts with an equal part of the application's, in the same order. The application may
 * have more parts in between. Stops at the first of the server's parts without an equal one.
 */
export function matched(server: readonly Part[], application: readonly Part[]) {
  const pairs: [Part, Part][] = []
  let from = 0
  for (const part of server) {
    const wanted = shown(part)
    const at = application.findIndex((other, index) => index >= from && shown(other) === wanted)
    if (at < 0) return { pairs, missing: part, next: application.slice(from, from + 4) }
    const found = application[at]
    if (found) pairs.push([part, found])
    from = at + 1
  }
  return { pairs, missing: undefined, next: [] }
}
