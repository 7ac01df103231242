/**
 * Replaces the server's markup with the application's, and its title, which would show up again between
 * two pages. A reader may have been quicker than the scripts: the page stays scrolled as it was, and if a
 * link had the focus, the same link of the new page gets it.
 * `replace` must have changed the page when it returns.
 */
export function takeOver(page: HTMLElement, replace: () => void): void {
  const focused = document.activeElement
  const isLink = focused instanceof HTMLAnchorElement && page.contains(focused)
  const href = isLink ? focused.getAttribute('href') : null
  const nth = isLink ? linksTo(page, href).indexOf(focused) : 0
  const scroll = window.scrollY
  document.querySelector('head > title')?.remove()
  replace()
  // The router scrolls each page that it renders to its top.
  if (scroll > 0) window.scrollTo({ top: scroll, behavior: 'instant' })
  if (!isLink || page.contains(focused)) return
  const same = linksTo(page, href)
  const target = same[nth] ?? same[0]
  target?.focus({ preventScroll: true })
}

function linksTo(page: HTMLElement, href: string | null): HTMLAnchorElement[] {
  return [...page.querySelectorAll('a')].filter((link) => link.getAttribute('href') === href)
}
