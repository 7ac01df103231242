import { useLocation } from '@tanstack/react-router'
import { useLayoutEffect, type ComponentType } from 'react'
import type { Resolved, Site } from '#/api/types'
import { RankingSkeleton } from '#/features/best-of/RankingSkeleton'
import { DiarySkeleton } from '#/features/events/DiarySkeleton'
import { GridSkeleton } from '#/features/grid/Grid'
import { resultsTitle } from '#/features/search/categories'
import { PageTitle } from '#/features/site/PageTitle'
import { useSite } from '#/features/site/site'
import { DetailSkeleton } from '#/ui/Detail'
import { LeadAndSecondsSkeleton } from '#/ui/LeadAndSeconds'
import { Loading } from '#/ui/Loading'
import { PageHead } from '#/ui/PageHead'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import { ArticleSkeleton } from './ArticleSkeleton'

type Shape = 'front' | 'grid' | 'diary' | 'ranking' | 'detail' | 'article' | 'text'

/** The shapes of pages that a path resolves to. */
const KINDS: Record<Resolved['kind'], Shape> = {
  listing: 'detail',
  article: 'article',
  event: 'detail',
  video: 'detail',
  contest: 'detail',
  'listing-type': 'grid',
  neighbourhood: 'grid',
  'best-of-list': 'ranking',
  page: 'text',
}

/** The site's own pages that show a grid; others show a text or a form. */
const GRIDS = ['/places', '/contests', '/videos', '/archives', '/accounts/dashboard']

/** The shape of a page whose code or data are loading. Without a kind, the path decides. */
export function shapeOf(
  path: string,
  site: Pick<Site, 'city_slug' | 'article_sections'>,
  kind?: Resolved['kind'],
): Shape {
  if (kind) return KINDS[kind]
  const [first, second, ...below] = path.split('/').filter(Boolean)
  if (first === undefined) return 'front'
  if (first === 'events' && second === undefined) return 'diary'
  if (GRIDS.includes(path.replace(/\/$/, ''))) return 'grid'
  if (first === 'accounts' || first === 'profiles' || below.length > 0) return 'text'
  if (second === undefined) return isText(first) ? 'text' : 'grid'
  if (first === 'neighbourhoods') return 'grid'
  if (first === site.city_slug) return 'ranking'
  return site.article_sections.some(({ slug }) => slug === first) ? 'article' : 'detail'
}

/** The site's own pages of one word that show a text, a form or names. */
function isText(word: string): boolean {
  return ['contact', 'newsletters', 'advertising', 'neighbourhoods'].includes(word)
}

interface Props {
  path: string
  kind?: Resolved['kind']
}

/** The skeleton of a page in its shape, or a notice while there is no network. */
export function PageSkeleton({ path, kind }: Props) {
  const Shaped = SKELETONS[shapeOf(path, useSite(), kind)]
  return (
    <Loading>
      <Shaped />
    </Loading>
  )
}

const SKELETONS: Record<Shape, ComponentType> = {
  front: LeadAndSecondsSkeleton,
  grid: GridPageSkeleton,
  diary: DiaryPageSkeleton,
  ranking: RankingSkeleton,
  detail: DetailPageSkeleton,
  article: ArticleSkeleton,
  text: TextSkeleton,
}

/** A page whose code is loading. Only the results of a search have a title that is known before. */
export function PendingPage() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const words = useLocation({ select: ({ search }) => (search as { q?: string }).q })
  // The router scrolls to the top only once the page itself is rendered.
  useLayoutEffect(() => {
    // Some browsers return a promise, which must not be the effect's result.
    window.scrollTo({ top: 0, behavior: 'instant' })
  }, [path])
  if (path !== '/search') return <PageSkeleton path={path} />
  return (
    <>
      <PageTitle page={resultsTitle(words)} />
      <PageHead title={resultsTitle(words)}>
        <br />
        <Skeleton width="min(36rem, 100%)" height="var(--target)" />
        {words && (
          <>
            <br />
            <Skeleton height="var(--target)" />
          </>
        )}
      </PageHead>
      <Loading>
        <GridSkeleton what="results" />
      </Loading>
    </>
  )
}

function DetailPageSkeleton() {
  return <DetailSkeleton what="the page" />
}

function GridPageSkeleton() {
  return (
    <>
      <HeadSkeleton />
      <GridSkeleton what="the page" />
    </>
  )
}

function DiaryPageSkeleton() {
  return (
    <>
      <HeadSkeleton />
      <DiarySkeleton />
    </>
  )
}

export function TextSkeleton() {
  return (
    <Placeholder what="the page">
      <HeadSkeleton />
      <Skeleton width="60%" height="20rem" />
    </Placeholder>
  )
}

function HeadSkeleton() {
  return (
    <>
      <br />
      <Skeleton width="40%" height="4rem" />
      <br />
    </>
  )
}
