import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Listing, ListingDetail } from '#/api/types'
import { Grid } from '#/features/grid/Grid'
import { itemsOf } from '#/lib/paging'
import { LoadMore } from '#/ui/LoadMore'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { PlaceWithControls } from './PlaceWithControls'
import { INCLUDED_REVIEWS, moreReviewsOptions } from './queries'

/** The grid appears if there are more reviews. */
const FEW_REVIEWS = 5
/** Two rows on a large screen. Load More shows the rest of those that came with the page, and more. */
const SHOWN = 8

interface Props {
  place: ListingDetail
}

/** The latest reviewed places, without the page's own. */
export function RecentReviews({ place }: Props) {
  const included = place.recent ?? []
  const [isOpen, setOpen] = useState(included.length <= SHOWN)
  const more = useInfiniteQuery({ ...moreReviewsOptions(), enabled: false })
  if (included.length <= FEW_REVIEWS) return null

  const fetched: Listing[] = isOpen
    ? (more.data?.pages.flatMap(({ results }) => results) ?? [])
    : []
  const all = itemsOf([{ results: [...included, ...fetched], count: -1 }])
  const others = all.filter(({ id }) => id !== place.id)
  const mayHaveNext = more.data ? more.hasNextPage : included.length >= INCLUDED_REVIEWS
  const shown = isOpen ? others : others.slice(0, SHOWN)
  return (
    <section>
      <SectionHeading aside={<SiteLink href="/places/">See all</SiteLink>}>
        Recent reviews
      </SectionHeading>
      <Grid>
        {shown.map((one) => (
          <li key={one.id}>
            <PlaceWithControls place={one} />
          </li>
        ))}
      </Grid>
      <LoadMore
        hasMore={!isOpen || mayHaveNext}
        isLoading={more.isFetching}
        isFailed={more.isError}
        loaded={shown.length}
        total={-1}
        onMore={() => {
          void more.fetchNextPage()
          setOpen(true)
        }}
      />
    </section>
  )
}
