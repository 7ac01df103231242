import { lazyRouteComponent, useMatch, type AsyncRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Resolved } from '#/api/types'
import { GridSkeleton } from '#/features/grid/Grid'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { firstResolved } from '#/features/pages/queries'
import { useResolved } from '#/features/pages/use-resolved'
import { siteInPage, useSite } from '#/features/site/site'
import { online } from '#/lib/online'
import { Retry } from '#/ui/Retry'
import { NotFoundPage } from './not-found'

interface Kind {
  /** The section without which there is no such page; static pages have none. */
  section: string | null
  Page: AsyncRouteComponent<ResolvedPageProps>
}

/** What a path can name, and the page that shows it. */
const KINDS: Partial<Record<Resolved['kind'], Kind>> = {
  listing: {
    section: 'listings',
    Page: lazyRouteComponent(
      online(() => import('./place')),
      'PlacePage',
    ),
  },
  'listing-type': {
    section: 'listings',
    Page: lazyRouteComponent(
      online(() => import('./listing-type')),
      'ListingTypePage',
    ),
  },
  article: {
    section: 'articles',
    Page: lazyRouteComponent(
      online(() => import('./article')),
      'ArticlePage',
    ),
  },
  page: {
    section: null,
    Page: lazyRouteComponent(
      online(() => import('./static-page')),
      'StaticPage',
    ),
  },
  neighbourhood: {
    section: 'neighbourhoods',
    Page: lazyRouteComponent(
      online(() => import('./neighbourhood')),
      'NeighbourhoodPage',
    ),
  },
  'best-of-list': {
    section: 'best_of',
    Page: lazyRouteComponent(
      online(() => import('./best-of-list')),
      'BestOfListPage',
    ),
  },
  event: {
    section: 'events',
    Page: lazyRouteComponent(
      online(() => import('./event')),
      'EventPage',
    ),
  },
  contest: {
    section: 'contests',
    Page: lazyRouteComponent(
      online(() => import('./contest')),
      'ContestPage',
    ),
  },
  video: {
    section: 'videos',
    Page: lazyRouteComponent(
      online(() => import('./video')),
      'VideoPage',
    ),
  },
}

const BestOfPage = lazyRouteComponent(
  online(() => import('./best-of')),
  'BestOfPage',
)
const SectionPage = lazyRouteComponent(
  online(() => import('./section')),
  'SectionPage',
)

/** Fetches the code of the page that a visit begins with, as far as the page itself says which it is. */
export async function preloadFirst(path: string): Promise<void> {
  const resolved = firstResolved(path)
  if (resolved) return KINDS[resolved.kind]?.Page.preload?.()
  const [first, ...more] = path.split('/').filter(Boolean)
  if (!first || more.length > 0) return
  const site = siteInPage()
  if (first === site?.city_slug) return BestOfPage.preload?.()
  if (site?.article_sections.some((known) => known.slug === first)) return SectionPage.preload?.()
}

/** A path of one word: a section of articles or the city's best-of lists, or whatever stands there. */
export function FirstPage() {
  const site = useSite()
  // The page's own word, which the address leaves before the page does.
  const slug = useMatch({
    strict: false,
    select: ({ params }) => (params as Record<string, string | undefined>).first,
  })
  if (slug === site.city_slug && site.sections.best_of) {
    return (
      <Suspense fallback={<GridSkeleton what="lists" />}>
        <BestOfPage />
      </Suspense>
    )
  }
  const section = site.article_sections.find((known) => known.slug === slug)
  if (!section || !site.sections.articles) return <ResolvedPage />
  return (
    <Suspense fallback={<GridSkeleton what="the section" />}>
      <SectionPage key={section.slug} slug={section.slug} name={section.name} />
    </Suspense>
  )
}

/** The page of whatever stands at this path. */
export function ResolvedPage() {
  const site = useSite()
  const resolved = useResolved()
  if (resolved.state === 'absent') return <NotFoundPage />
  if (resolved.state === 'failed') return <Retry onRetry={resolved.retry} />
  if (resolved.state === 'loading') return <GridSkeleton what="the page" />
  const kind = KINDS[resolved.kind]
  if (!kind || (kind.section && !site.sections[kind.section])) return <NotFoundPage />
  const { Page } = kind
  return (
    <Suspense fallback={<GridSkeleton what="the page" />}>
      <Page key={`${resolved.kind} ${resolved.id}`} id={resolved.id} path={resolved.canonical} />
    </Suspense>
  )
}
