import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { GridPage } from '#/features/grid/GridPage'
import { ReminderBadge } from '#/features/reminders/ReminderBadge'
import { Button } from '#/ui/Button'
import { FilterBar } from './FilterBar'
import styles from './FilteredPlaces.module.css'
import { PlaceWithControls } from './PlaceWithControls'
import { listingPagesOptions, type ListingFilters } from './queries'
import { useFilters } from './use-filters'

interface Props {
  title: string
  kicker?: ReactNode
  /** The page's own filters, which the reader cannot change. */
  fixed: ListingFilters
}

/** A page of places with its filters and Load More. */
export function FilteredPlaces({ title, kicker, fixed }: Props) {
  const { filters, change, clear, isFiltered } = useFilters(fixed)
  const hidden = fixed.type ? 'type' : fixed.neighbourhood ? 'neighbourhood' : undefined
  const list = useInfiniteQuery(listingPagesOptions(filters))
  const subType = list.data?.pages[0]?.results[0]?.sub_type?.name
  return (
    <>
      <GridPage
        title={title}
        kicker={kicker}
        unit={['place', 'places']}
        options={listingPagesOptions(filters)}
        isFiltered={isFiltered}
        onClear={clear}
        advice="Try a neighbourhood next door, another type, or fewer words."
        filters={
          <>
            {filters.sub_type && (
              <p className={styles.only}>
                Only {subType ?? filters.sub_type}
                <Button look="quiet" onClick={() => change({ sub_type: undefined })}>
                  Show all
                </Button>
              </p>
            )}
            <FilterBar filters={filters} hidden={hidden} onChange={change} />
          </>
        }
      >
        {(place, index) => <PlaceWithControls place={place} isFirst={index < 2} />}
      </GridPage>
      <ReminderBadge />
    </>
  )
}
