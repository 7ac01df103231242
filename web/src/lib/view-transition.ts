import { pagePath } from './page-path'
import { REDUCED_MOTION } from './use-media-query'

/** The name that the picture of a card and that of its page share (styles/base.css). */
const HERO = 'hero'

let named: HTMLElement | undefined

/** The picture of a card that is followed becomes the picture of its page. */
export function growFrom(picture: HTMLElement | null): void {
  // A name belongs to one element at a time.
  named?.style.removeProperty('view-transition-name')
  for (const hero of document.querySelectorAll<HTMLElement>('[data-hero]')) {
    hero.style.setProperty('view-transition-name', 'none')
  }
  picture?.style.setProperty('view-transition-name', HERO)
  named = picture ?? undefined
}

interface Change {
  fromLocation?: { pathname: string } | undefined
  toLocation: { pathname: string }
}

/** Transitions between pages, not within one, and none with reduced motion. */
export function transitionTypes({ fromLocation, toLocation }: Change): string[] | false {
  const isSamePage =
    fromLocation && pagePath(fromLocation.pathname) === pagePath(toLocation.pathname)
  return isSamePage || window.matchMedia(REDUCED_MOTION).matches ? false : ['page']
}

/**
 * A transition that the next one cuts short rejects promises that the router does not handle. The page is
 * shown all the same, so this is no error.
 */
export function ignoreSkippedTransitions(): void {
  window.addEventListener('unhandledrejection', (event) => {
    const { reason } = event as { reason: unknown }
    if (reason instanceof DOMException && /transition/i.test(reason.message)) event.preventDefault()
  })
}
