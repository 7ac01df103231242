import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { AgeGatedPublic } from '#/features/age-gate/AgeGated'
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
import { Loading } from '#/ui/Loading'
import { PageHead } from '#/ui/PageHead'

export function prefetch(client: QueryClient, { path }: ResolvedPageProps): Promise<unknown> {
  const first = listingPagesOptions({ ordering: DEFAULT_ORDERING, type: lastSlug(path) })
  return Promise.all([client.query(listingTypesOptions()), client.infiniteQuery(first)])
}

export function ListingTypePage({ id, path }: ResolvedPageProps) {
  const site = useSite()
  const types = useQuery(listingTypesOptions())
  const slug = lastSlug(path)
  const type = types.data?.find((type) => type.id === id)
  const fixed = useMemo(() => ({ type: slug }), [slug])
  const title = type?.name ?? 'Places'

  if (types.isPending) {
    return (
      <Loading>
        <GridSkeleton what="places" />
      </Loading>
    )
  }
  // No ads beside places with an age limit.
  const about = type?.is_age_restricted
    ? null
    : ({ page: 'listing-type', listingType: slug } as const)
  return (
    <AdPage about={about}>
      <PageTitle page={type?.name} />
      <AgeGatedPublic isRestricted={type?.is_age_restricted ?? false}>
        {(isAllowed) =>
          isAllowed ? (
            <FilteredPlaces title={title} kicker={site.city} fixed={fixed} />
          ) : (
            <PageHead title={title} kicker={site.city} />
          )
        }
      </AgeGatedPublic>
      <AdSpot at="end" />
    </AdPage>
  )
}
