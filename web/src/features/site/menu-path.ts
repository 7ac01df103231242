import { useQuery } from '@tanstack/react-query'
import type { Resolved, Site } from '#/api/types'
import { resolveOptions } from '#/features/pages/queries'
import { useSite } from './site'

/**
 * The path whose menu entry is marked: the page's own, or for a section of articles and a type of places that the menu
 * does not list, the path of all articles or places. The gateway's `frame.rs` has the same rule.
 */
export function menuPath(
  { navigation, article_sections: sections }: Pick<Site, 'navigation' | 'article_sections'>,
  path: string,
  kind?: Resolved['kind'],
): string {
  if (navigation.some(({ href }) => href !== '/' && path.startsWith(href))) return path
  const first = path.split('/')[1]
  if (sections.some(({ slug }) => slug === first)) return '/news/'
  return kind === 'listing' || kind === 'listing-type' ? '/places/' : path
}

export function useMenuPath(path: string): string {
  // The page itself resolves its path. A photo's page has the path of its place.
  const place = path.replace(/photos\/[^/]+\/?$/, '')
  const resolved = useQuery({ ...resolveOptions(place), enabled: false })
  return menuPath(useSite(), path, resolved.data?.kind)
}
