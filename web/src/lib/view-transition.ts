import { pagePath } from './page-path'
import { REDUCED_MOTION } from './use-media-query'

/** The shared name of a card's picture and its page's picture (styles/base.css). */
const HERO = 'hero'

let named: HTMLElement | undefined

/** Animates the picture of a followed card into the picture of its page. */
export function setTransitionSource(picture: HTMLElement | null): void {
  // A name must be unique in the document.
  named?.style.removeProperty('view-transition-name')
  for (const hero of document.querySelectorAll<HTMLElement>('[data-hero]')) {
    hero.style.setProperty('view-transition-name', 'none')
  }
  picture?.style.setProperty('view-transition-name', HERO)
  named = picture ?? undefined
}

interface NavigationChange {
  fromLocation?: { pathname: string } | undefined
  toLocation: { pathname: string }
}

/** Animates between pages, but not within one, and not with reduced motion. */
export function transitionTypes({ fromLocation, toLocation }: NavigationChange): string[] | false {
  const isSamePage =
    fromLocation && pagePath(fromLocation.pathname) === pagePath(toLocation.pathname)
  return isSamePage || window.matchMedia(REDUCED_MOTION).matches ? false : ['page']
}

/**
 * A transition that is interrupted by the next one rejects promises that the router does not
 * handle. This is not an error: the page is shown.
 */
export function ignoreSkippedTransitions(): void {
  window.addEventListener('unhandledrejection', (event) => {
    const { reason } = event as { reason: unknown }
    if (reason instanceof DOMException && /transition/i.test(reason.message)) event.preventDefault()
  })
}
