import type { ReadingPosition } from './history-cache'

/** Restoring stops after this time, in milliseconds. */
const RESTORE_TIMEOUT = 5000
const MAX_TEXT = 80

const content = (): HTMLElement | null => document.getElementById('content')

/** The reader's position on the current page. */
export function currentPosition(): ReadingPosition {
  const scroll = Math.round(window.scrollY)
  const focused = document.activeElement
  const root = content()
  if (!root || !(focused instanceof HTMLElement) || focused === root || !root.contains(focused)) {
    return { scroll }
  }
  const path: number[] = []
  for (
    let node: Element = focused;
    node !== root && node.parentElement;
    node = node.parentElement
  ) {
    path.unshift([...node.parentElement.children].indexOf(node))
  }
  return { scroll, focus: { path, text: textOf(focused) } }
}

/**
 * Restores a position once the page is long enough and the focused element exists. Stops when the
 * reader acts, and after a timeout.
 */
export function restorePosition({ scroll, focus }: ReadingPosition): () => void {
  const given = new AbortController()
  const { signal } = given
  const stop = (): void => given.abort()
  const attempt = (): void => {
    if (signal.aborted) return
    const room = document.documentElement.scrollHeight - window.innerHeight
    window.scrollTo({ top: scroll, behavior: 'instant' })
    const target = focus && find(focus)
    target?.focus({ preventScroll: true })
    if (room >= scroll && (target || !focus)) stop()
  }
  const watching = new ResizeObserver(attempt)
  watching.observe(document.body)
  signal.addEventListener('abort', () => watching.disconnect())
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown']) {
    window.addEventListener(event, stop, { signal, passive: true })
  }
  setTimeout(stop, RESTORE_TIMEOUT)
  // Immediately, so that the top of the page does not flash …
  window.scrollTo({ top: scroll, behavior: 'instant' })
  // … and again after the new page's own focus and scroll changes.
  requestAnimationFrame(attempt)
  return stop
}

function find({ path, text }: NonNullable<ReadingPosition['focus']>): HTMLElement | undefined {
  let node: Element | null | undefined = content()
  for (const index of path) node = node?.children[index]
  return node instanceof HTMLElement && textOf(node) === text ? node : undefined
}

function textOf(element: HTMLElement): string {
  return (element.textContent || element.ariaLabel || '').slice(0, MAX_TEXT)
}
