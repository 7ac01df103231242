import { expect, it } from 'vitest'
import { menuPath } from './menu-path'

const entry = (href: string) => ({ href, label: href, external: false })
const SITE = {
  navigation: ['/', '/restaurants/', '/news/', '/places/'].map(entry),
  article_sections: ['news', 'food'].map((slug) => ({ slug, name: slug })),
}

it.each([
  ['/', undefined, '/'],
  ['/restaurants/', 'listing-type', '/restaurants/'],
  ['/restaurants/pai/', 'listing', '/restaurants/pai/'],
  ['/bars/', 'listing-type', '/places/'],
  ['/cafes/rowhouse/', 'listing', '/places/'],
  ['/food/', undefined, '/news/'],
  ['/food/soup/', 'article', '/news/'],
  ['/privacy/', 'page', '/privacy/'],
] as const)('of %s (%s) is %s', (path, kind, marked) => {
  expect(menuPath(SITE, path, kind)).toBe(marked)
})
