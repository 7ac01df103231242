import { Outlet, useChildMatches, useMatch } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Resolved } from '#/api/types'
import { useResolved } from '#/features/pages/use-resolved'
import { useSite } from '#/features/site/site'
import { Retry } from '#/ui/Retry'
import { BestOfPage, kindOf, SectionPage } from './kinds'
import { NotFoundPage } from './not-found'
import { LatePageSkeleton } from './skeletons'

/** A one-word path: a section of articles, the city's best-of lists, or a path to resolve. */
export function FirstPage() {
  const site = useSite()
  // The page's own slug: the address changes before the page does.
  const slug = useMatch({
    strict: false,
    select: ({ params }) => (params as Record<string, string | undefined>).first,
  })
  if (slug === site.city_slug && site.sections.best_of) {
    return (
      <Suspense fallback={<LatePageSkeleton path={`/${slug}/`} />}>
        <BestOfPage />
      </Suspense>
    )
  }
  const section = site.article_sections.find((known) => known.slug === slug)
  if (!section || !site.sections.articles) return <ResolvedPage />
  return (
    <Suspense fallback={<LatePageSkeleton path={`/${section.slug}/`} />}>
      <SectionPage key={section.slug} slug={section.slug} name={section.name} />
    </Suspense>
  )
}

/** Resolves the path and renders the page of its kind. */
export function ResolvedPage() {
  const site = useSite()
  const photo = useChildMatches({
    select: ([child]) => (child?.params as Record<string, string | undefined> | undefined)?.photo,
  })
  const resolved = useResolved(photo === undefined ? '' : `photos/${photo}`)
  if (resolved.state === 'absent') return <NotFoundPage />
  if (resolved.state === 'failed') return <Retry onRetry={resolved.retry} />
  if (resolved.state === 'loading') return <LatePageSkeleton path={resolved.path} />
  const Page = kindOf(site, resolved.kind)?.Page
  if (!Page || (photo !== undefined && !hasPhoto(resolved.kind, photo))) return <NotFoundPage />
  return (
    <Suspense fallback={<LatePageSkeleton path={resolved.canonical} kind={resolved.kind} />}>
      <Page key={`${resolved.kind} ${resolved.id}`} id={resolved.id} path={resolved.canonical} />
      <Outlet />
    </Suspense>
  )
}

/** Whether an address below a page may be a photo. */
function hasPhoto(kind: Resolved['kind'], photo: string): boolean {
  return kind === 'listing' && /^\d{1,15}$/.test(photo)
}
