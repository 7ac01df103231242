import { useInfiniteQuery, useQuery, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { FilteredPlaces } from '#/features/listings/FilteredPlaces'
import { GridSkeleton } from '#/features/grid/Grid'
import {
  DEFAULT_ORDERING,
  listingPagesOptions,
  listingTypesOptions,
} from '#/features/listings/queries'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { lastSlug } from '#/lib/share-path'

export function ahead(client: QueryClient, { path }: ResolvedPageProps): Promise<unknown> {
  const first = listingPagesOptions({ ordering: DEFAULT_ORDERING, type: lastSlug(path) })
  return Promise.all([client.query(listingTypesOptions()), client.infiniteQuery(first)])
}

export function ListingTypePage({ id, path }: ResolvedPageProps) {
  const site = useSite()
  const types = useQuery(listingTypesOptions())
  const slug = lastSlug(path)
  const name = types.data?.find((type) => type.id === id)?.name
  const fixed = useMemo(() => ({ type: slug }), [slug])
  // The grid's first page tells whether the type has an age limit: nothing is advertised beside such places.
  const page = listingPagesOptions({ ordering: DEFAULT_ORDERING, type: slug })
  const first = useInfiniteQuery({ ...page, enabled: false })
  const isRestricted = first.data?.pages[0]?.results[0]?.type.is_age_restricted

  if (types.isPending) return <GridSkeleton what="places" />
  return (
    <AdPage about={isRestricted === false ? { page: 'listing-type', listingType: slug } : null}>
      <PageTitle page={name} />
      <FilteredPlaces title={name ?? 'Places'} kicker={site.city} fixed={fixed} />
      <AdSpot at="end" />
    </AdPage>
  )
}
