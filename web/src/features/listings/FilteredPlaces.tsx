import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Listing } from '#/api/types'
import { GridSkeleton } from '#/features/grid/Grid'
import { GridPage } from '#/features/grid/GridPage'
import { OpeningSkeleton } from '#/features/grid/Opening'
import { LateReminderBadge } from '#/features/reminders/late-reminders'
import { Button } from '#/ui/Button'
import { Chips } from '#/ui/Chips'
import { FilterBar } from './FilterBar'
import styles from './FilteredPlaces.module.css'
import { leadOf, subTypesOf } from './opening'
import { PlacesOpening } from './PlacesOpening'
import { PlaceWithControls } from './PlaceWithControls'
import { DEFAULT_ORDERING, listingPagesOptions, type ListingFilters } from './queries'
import { useFilters } from './use-filters'

interface Props {
  title: string
  kicker?: ReactNode
  /** Content between the title and the filters. */
  above?: ReactNode
  /** The places in that content, none of which becomes the lead. */
  placesAbove?: readonly Listing[] | undefined
  /** The page's own filters, which the reader cannot change. */
  fixed: ListingFilters
}

/** A page of places with its filters and Load More. */
export function FilteredPlaces({ title, kicker, above, placesAbove, fixed }: Props) {
  const { filters, change, select, clear, isFiltered } = useFilters(fixed)
  const hidden = fixed.type ? 'type' : fixed.neighbourhood ? 'neighbourhood' : undefined
  const first = useInfiniteQuery(listingPagesOptions(filters)).data?.pages[0]
  const subType = first?.results[0]?.sub_type?.name
  const isDefault = !isFiltered && filters.ordering === DEFAULT_ORDERING
  const lead = isDefault && first ? leadOf(first, placesAbove) : undefined
  const subTypes = first && fixed.type && !filters.sub_type ? subTypesOf(first.results) : []
  return (
    <>
      <GridPage
        title={title}
        kicker={kicker}
        above={above}
        unit={['place', 'places']}
        options={listingPagesOptions(filters)}
        isFiltered={isFiltered}
        onClear={clear}
        lead={lead && first && <PlacesOpening lead={lead} places={first.results} />}
        without={lead && new Set([lead.id])}
        skeleton={
          <>
            {isDefault && <OpeningSkeleton />}
            <GridSkeleton what="places" />
          </>
        }
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
            <FilterBar filters={filters} hidden={hidden} onSearch={change} onSelect={select} />
            {subTypes.length > 1 && <Chips label="Kinds" links={subTypes} isLine />}
          </>
        }
      >
        {(place, index) => <PlaceWithControls place={place} isFirst={!lead && index < 2} />}
      </GridPage>
      <LateReminderBadge />
    </>
  )
}
