import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { FilteredPlaces } from '#/features/listings/FilteredPlaces'
import { GridSkeleton } from '#/features/grid/Grid'
import {
  DEFAULT_ORDERING,
  listingPagesOptions,
  neighbourhoodsOptions,
} from '#/features/listings/queries'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { PageTitle } from '#/features/site/PageTitle'
import { lastSlug } from '#/lib/share-path'
import { Loading } from '#/ui/Loading'
import { SiteLink } from '#/ui/SiteLink'

export function prefetch(client: QueryClient, { path }: ResolvedPageProps): Promise<unknown> {
  const first = listingPagesOptions({ ordering: DEFAULT_ORDERING, neighbourhood: lastSlug(path) })
  return Promise.all([client.query(neighbourhoodsOptions()), client.infiniteQuery(first)])
}

export function NeighbourhoodPage({ id, path }: ResolvedPageProps) {
  const neighbourhoods = useQuery(neighbourhoodsOptions())
  const slug = lastSlug(path)
  const name = neighbourhoods.data?.find((row) => row.id === id)?.name
  const fixed = useMemo(() => ({ neighbourhood: slug }), [slug])

  if (neighbourhoods.isPending) {
    return (
      <Loading>
        <GridSkeleton what="places" />
      </Loading>
    )
  }
  return (
    <AdPage about={{ page: 'neighbourhood', neighbourhood: slug }}>
      <PageTitle page={name} />
      <FilteredPlaces
        title={name ?? 'Neighbourhood'}
        kicker={<SiteLink href="/neighbourhoods/">Neighbourhoods</SiteLink>}
        fixed={fixed}
      />
      <AdSpot at="end" />
    </AdPage>
  )
}
