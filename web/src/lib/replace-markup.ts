/**
 * Replaces the server's markup by the application's, and removes the server's title, which would reappear between
 * two pages. A reader may have acted before the scripts: the scroll position is kept, and a link that has the focus
 * passes it to the same link of the new page. `replace` must change the page synchronously.
 */
export function replaceMarkup(page: HTMLElement, replace: () => void): void {
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
