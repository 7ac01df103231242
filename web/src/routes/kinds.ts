import type { QueryClient } from '@tanstack/react-query'
import { lazyRouteComponent, type AsyncRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Resolved, Site } from '#/api/types'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { online } from '#/lib/online'

/** The module of a kind of page. */
interface KindModule {
  /** Fetches what the page shows first. */
  ahead: (client: QueryClient, page: ResolvedPageProps) => Promise<unknown>
}

interface Kind {
  /** The section that the page belongs to; static pages have none. */
  section: string | null
  load: () => Promise<KindModule>
  Page: AsyncRouteComponent<ResolvedPageProps>
}

/** A kind of page whose module exports its component by a name, and {@link KindModule}. */
function kind<Name extends string>(
  section: string | null,
  importModule: () => Promise<KindModule & Record<Name, ComponentType<ResolvedPageProps>>>,
  name: Name,
): Kind {
  const load = online(importModule)
  return { section, load, Page: lazyRouteComponent(load, name) }
}

/** The kinds that a path can resolve to, and their pages. */
const KINDS: Partial<Record<Resolved['kind'], Kind>> = {
  listing: kind('listings', () => import('./place'), 'PlacePage'),
  'listing-type': kind('listings', () => import('./listing-type'), 'ListingTypePage'),
  article: kind('articles', () => import('./article'), 'ArticlePage'),
  page: kind(null, () => import('./static-page'), 'StaticPage'),
  neighbourhood: kind('neighbourhoods', () => import('./neighbourhood'), 'NeighbourhoodPage'),
  'best-of-list': kind('best_of', () => import('./best-of-list'), 'BestOfListPage'),
  event: kind('events', () => import('./event'), 'EventPage'),
  contest: kind('contests', () => import('./contest'), 'ContestPage'),
  video: kind('videos', () => import('./video'), 'VideoPage'),
}

export const BestOfPage = lazyRouteComponent(
  online(() => import('./best-of')),
  'BestOfPage',
)
export const SectionPage = lazyRouteComponent(
  online(() => import('./section')),
  'SectionPage',
)

/** The page of a kind; undefined if its section is off. */
export function kindOf(site: Site, kind: Resolved['kind']): Kind | undefined {
  const found = KINDS[kind]
  return found?.section && !site.sections[found.section] ? undefined : found
}

/** The page of a one-word path that needs no resolving. */
export function ownPage(site: Site, path: string): AsyncRouteComponent<never> | undefined {
  const [first, ...more] = path.split('/').filter(Boolean)
  if (more.length > 0) return undefined
  if (first === site.city_slug) return BestOfPage
  return site.article_sections.some((known) => known.slug === first) ? SectionPage : undefined
}
