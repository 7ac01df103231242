import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import type { DashboardCounts } from '#/api/types'
import { enabledKinds, isToggled, SAVED_KINDS, TOGGLED_NAMES } from '#/features/saved/kinds'
import { newestSavedOptions } from '#/features/saved/queries'
import { useSavedObjects } from '#/features/saved/saved'
import type { ToggledName } from '#/features/saved/toggles'
import { useHasSection, useSite } from '#/features/site/site'
import { Loading } from '#/ui/Loading'
import { Notice } from '#/ui/Notice'
import { Placeholder } from '#/ui/Placeholder'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import { ComingEvents, RecentlySaved, OpenNow } from './blocks'
import styles from './HomeBlocks.module.css'
import { newestLines, type NewestOfAny } from './recently-saved'
import { OBJECT_TYPES } from './object-types'
import { openNowOptions, MAX_ROWS, soonOptions, snapshotOptions, type SavedIds } from './queries'
import { sectionHref } from './sections'
import { SinceLastVisit } from './SinceLastVisit'

interface Props {
  counts: DashboardCounts
  /** The rest of the page, which appears together with the blocks, so that they do not move it. */
  children: ReactNode
}

/** Summarises the reader's saved things: changes, open places, coming events and recently saved things. */
export function HomeBlocks({ counts, children }: Props) {
  const site = useSite()
  const enabled = useMemo(() => enabledKinds(site).filter(isToggled), [site])
  const names = enabled.filter((name) => counts[SAVED_KINDS[name].count] > 0)
  const hasPlaces = names.some((name) => SAVED_KINDS[name].objectType === 'place')
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
  const snapshot = useQuery({ ...snapshotOptions(saved), enabled: isKnown && names.length > 0 })
  const block = <T,>({ data, isError, refetch }: UseQueryResult<T>) => ({
    data,
    isFailed: objects.isFailed || isError,
    onRetry: objects.isFailed ? objects.retry : () => void refetch(),
  })

  if (names.length === 0) {
    return (
      <>
        <NothingSaved />
        {children}
      </>
    )
  }
  const queries = [openNow, soon, snapshot]
  if (objects.isPending || newest.isPending || queries.some((query) => query.isLoading)) {
    return (
      <Loading>
        <BlocksSkeleton />
      </Loading>
    )
  }
  return (
    <>
      <SinceLastVisit {...block(snapshot)} />
      <div className={styles.pair}>
        {hasPlaces && (
          <OpenNow kind={counts.favourites > 0 ? 'favourite' : 'todo'} {...block(openNow)} />
        )}
        {hasEvents && <ComingEvents {...block(soon)} />}
      </div>
      <RecentlySaved {...newest} />
      {children}
    </>
  )
}

function idsOf(ids: ReturnType<typeof useSavedObjects>['ids']): SavedIds {
  const idsOfType = OBJECT_TYPES.map((type) => {
    const kinds = TOGGLED_NAMES.filter((name) => SAVED_KINDS[name].objectType === type)
    return [type, [...new Set(kinds.flatMap((name) => ids.get(name) ?? []))]] as const
  })
  return Object.fromEntries(idsOfType) as SavedIds
}

function useNewest(names: readonly ToggledName[]) {
  return useQueries({
    queries: names.map((name) => newestSavedOptions(name, MAX_ROWS)),
    combine: (answers) => ({
      isPending: answers.some((answer) => answer.isPending),
      isFailed: answers.some((answer) => answer.isError && !answer.data),
      data: newestLines(
        names.map((name, at) => ({ name, items: answers[at]?.data?.results ?? [] }) as NewestOfAny),
        MAX_ROWS,
      ),
      onRetry: () => answers.forEach((answer) => void answer.refetch()),
    }),
  })
}

function NothingSaved() {
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
          <SiteLink href={sectionHref('takeout')}>Bring your places from Google Maps</SiteLink>
        </>
      ) : (
        <SiteLink href="/news/">Read the news</SiteLink>
      )}
    </Notice>
  )
}

/** Taller than the window, so that the blocks move nothing visible when they arrive. */
function BlocksSkeleton() {
  return (
    <Placeholder what="your saved things" className={styles.coming}>
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
    </Placeholder>
  )
}
