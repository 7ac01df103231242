import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import type { DashboardCounts } from '#/api/types'
import { enabledKinds, SAVED_KINDS } from '#/features/saved/kinds'
import { newestSavedOptions } from '#/features/saved/queries'
import { useSavedObjects } from '#/features/saved/saved'
import { useHasSection, useSite } from '#/features/site/site'
import { TAKEOUT_SECTION } from '#/features/takeout/section'
import { Notice } from '#/ui/Notice'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import { DASHBOARD } from './address'
import { ComingEvents, KeptLately, OpenNow } from './blocks'
import styles from './HomeBlocks.module.css'
import { KEPT, type KeptName, newestLines, type NewestOfAny } from './kept'
import { openNowOptions, SHOWN, soonOptions, standingOptions, type SavedIds } from './queries'
import { SinceLastVisit } from './SinceLastVisit'

interface Props {
  counts: DashboardCounts
  /** The rest of the page, which appears together with the blocks, so that they do not move it. */
  children: ReactNode
}

/** Of the reader's saved things: what has changed, is open now, is coming up, and was kept lately. */
export function HomeBlocks({ counts, children }: Props) {
  const site = useSite()
  const enabled = useMemo(() => {
    const kinds = enabledKinds(site)
    return KEPT.filter((name) => kinds.includes(name))
  }, [site])
  const names = enabled.filter((name) => counts[SAVED_KINDS[name].count] > 0)
  const hasPlaces = names.some((name) => SAVED_KINDS[name].section === 'listings')
  const hasEvents = names.includes('event-bookmark')
  const objects = useSavedObjects(enabled)
  const saved = idsOf(objects.ids)
  const isKnown = !objects.isPending && !objects.isFailed

  const newest = useNewest(names)
  const openNow = useQuery({
    ...openNowOptions(saved.place),
    enabled: isKnown && hasPlaces && saved.place.length > 0,
  })
  const soon = useQuery({
    ...soonOptions(saved.event, site.timezone),
    enabled: isKnown && hasEvents && saved.event.length > 0,
  })
  const standing = useQuery({ ...standingOptions(saved), enabled: isKnown && names.length > 0 })
  const block = <T,>({ data, isError, refetch }: UseQueryResult<T>) => ({
    data,
    isFailed: objects.isFailed || isError,
    onRetry: objects.isFailed ? objects.retry : () => void refetch(),
  })

  if (names.length === 0) {
    return (
      <>
        <NothingKept />
        {children}
      </>
    )
  }
  const queries = [openNow, soon, standing]
  if (objects.isPending || newest.isPending || queries.some((query) => query.isLoading)) {
    return <BlocksSkeleton />
  }
  return (
    <>
      <SinceLastVisit {...block(standing)} />
      <div className={styles.pair}>
        {hasPlaces && (
          <OpenNow kind={counts.favourites > 0 ? 'favourite' : 'todo'} {...block(openNow)} />
        )}
        {hasEvents && <ComingEvents {...block(soon)} />}
      </div>
      <KeptLately {...newest} />
      {children}
    </>
  )
}

function idsOf(ids: ReturnType<typeof useSavedObjects>['ids']): SavedIds {
  const of = (name: KeptName): readonly number[] => ids.get(name) ?? []
  return {
    place: [...new Set([...of('favourite'), ...of('todo')])],
    article: of('article-bookmark'),
    video: of('video-bookmark'),
    event: of('event-bookmark'),
  }
}

function useNewest(names: readonly KeptName[]) {
  return useQueries({
    queries: names.map((name) => newestSavedOptions(name, SHOWN)),
    combine: (answers) => ({
      isPending: answers.some((answer) => answer.isPending),
      isFailed: answers.some((answer) => answer.isError && !answer.data),
      data: newestLines(
        names.map((name, at) => ({ name, items: answers[at]?.data?.results ?? [] }) as NewestOfAny),
        SHOWN,
      ),
      onRetry: () => answers.forEach((answer) => void answer.refetch()),
    }),
  })
}

function NothingKept() {
  const hasPlaces = useHasSection('listings')
  return (
    <Notice title="Nothing is kept here yet">
      <p>
        Tap the heart, the flag or the bookmark on anything that you want to find again. This page
        then shows what is open, what is coming up and what has changed.
      </p>
      {hasPlaces ? (
        <>
          <SiteLink href="/places/">Browse places</SiteLink>
          <SiteLink href={`${DASHBOARD}#${TAKEOUT_SECTION.hash}`}>
            Bring your places from Google Maps
          </SiteLink>
        </>
      ) : (
        <SiteLink href="/news/">Read the news</SiteLink>
      )}
    </Notice>
  )
}

/** Higher than the window: what follows is below the fold until the blocks are there. */
function BlocksSkeleton() {
  return (
    <div className={styles.coming} role="status" aria-label="Loading your saved things">
      {[0, 1].map((row) => (
        <div key={row} className={styles.pair}>
          {[0, 1].map((column) => (
            <div key={column} className={styles.bones}>
              <Skeleton width="12rem" height="2rem" />
              <Skeleton height="5rem" />
              <Skeleton height="5rem" />
              <Skeleton height="5rem" />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
