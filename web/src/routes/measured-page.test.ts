import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Resolved, Site } from '#/api/types'
import { resolveOptions } from '#/features/pages/queries'
import { queryClient } from '#/features/session/current'
import { siteOptions } from '#/features/site/site'
import { pageAt } from './measured-page'

const SITE = {
  city_slug: 'toronto',
  article_sections: [{ slug: 'food', name: 'Food' }],
  sections: {},
} as unknown as Site

function know(path: string, kind: Resolved['kind'], id: number): void {
  const resolved = { kind, id, canonical: path, moved_to: null, server_time: '' }
  queryClient.setQueryData(resolveOptions(path).queryKey, resolved)
}

beforeEach(() => {
  queryClient.setQueryData(siteOptions().queryKey, SITE)
  know('/bars/the-green-door/', 'listing', 7)
  know('/privacy/', 'page', 3)
})
afterEach(() => queryClient.clear())

it.each([
  ['/', { page: 'home' }],
  ['/search', { page: 'search' }],
  ['/accounts/dashboard/', { page: 'dashboard' }],
  ['/toronto/', { page: 'best-of' }],
  ['/food', { page: 'section' }],
  ['/bars/the-green-door/', { page: 'place', item: { kind: 'listing', id: 7 } }],
  ['/bars/the-green-door', { page: 'place', item: { kind: 'listing', id: 7 } }],
  ['/privacy/', { page: 'static-page', item: { kind: 'page', id: 3 } }],
  ['/bars/the-green-door/photos/upload/', { page: 'other' }],
  ['/nothing/here/', { page: 'other' }],
])('the page at %s has its name in the table, without a request', (path, expected) => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  expect(pageAt(path)).toEqual(expected)
  expect(fetched).not.toHaveBeenCalled()
})
