import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf } from '#/lib/paging'
import { Button } from '#/ui/Button'
import { LoadMore } from '#/ui/LoadMore'
import { Notice } from '#/ui/Notice'
import { Retry } from '#/ui/Retry'
import { FilterBar } from './FilterBar'
import type { ListingFilters } from './keys'
import { Place } from './Place'
import { PlaceGrid, PlaceGridSkeleton } from './PlaceGrid'
import { listingPagesOptions } from './queries'
import { useFilters } from './use-filters'
import styles from './FilteredPlaces.module.css'

interface Props {
  title: string
  kicker?: ReactNode
  /** What the page itself is about, which its reader cannot change. */
  fixed: ListingFilters
}

/** A page of places with its filters and Load More. */
export function FilteredPlaces({ title, kicker, fixed }: Props) {
  const { filters, change, clear, isFiltered } = useFilters(fixed)
  const list = useInfiniteQuery(listingPagesOptions(filters))
  const pages = list.data?.pages ?? []
  const places = itemsOf(pages)
  const total = pages[0]?.count ?? -1
  const hidden = fixed.type ? 'type' : fixed.neighbourhood ? 'neighbourhood' : undefined

  return (
    <>
      <header className={styles.head}>
        {kicker && <p className={styles.kicker}>{kicker}</p>}
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.count} role="status">
          {total >= 0 && (total === 1 ? '1 place' : `${total.toLocaleString()} places`)}
        </p>
      </header>
      {filters.sub_type && (
        <p className={styles.only}>
          Only {places[0]?.sub_type?.name ?? filters.sub_type}
          <Button look="quiet" onClick={() => change({ sub_type: undefined })}>
            Show all
          </Button>
        </p>
      )}
      <FilterBar filters={filters} hidden={hidden} onChange={change} />
      {list.isPending ? (
        <PlaceGridSkeleton />
      ) : list.isError && places.length === 0 ? (
        <>
          <Retry onRetry={() => void list.refetch()} />
          {isFiltered && <ClearFilters onClear={clear} />}
        </>
      ) : places.length === 0 ? (
        <Notice title={isFiltered ? 'Nothing fits all of that' : 'No places here yet'}>
          {isFiltered ? (
            <>
              <p>Try a neighbourhood next door, another type, or fewer words.</p>
              <ClearFilters onClear={clear} />
            </>
          ) : (
            <p>Look in again soon, or browse the rest of the city meanwhile.</p>
          )}
        </Notice>
      ) : (
        <>
          <h2 className="visually-hidden">Places</h2>
          <PlaceGrid>
            {places.map((place, index) => (
              <li key={place.id}>
                <Place place={place} isFirst={index < 2} />
              </li>
            ))}
          </PlaceGrid>
          <LoadMore
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            isFailed={list.isFetchNextPageError}
            loaded={places.length}
            total={total}
            onMore={() => void list.fetchNextPage()}
          />
        </>
      )}
    </>
  )
}

function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <Button look="outline" onClick={onClear}>
      Clear the filters
    </Button>
  )
}
