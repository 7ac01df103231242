import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
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

  if (types.isPending) return <GridSkeleton what="places" />
  return (
    <>
      <PageTitle page={name} />
      <FilteredPlaces title={name ?? 'Places'} kicker={site.city} fixed={fixed} />
    </>
  )
}
