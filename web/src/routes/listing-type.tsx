import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { FilteredPlaces } from '#/features/listings/FilteredPlaces'
import { PlaceGridSkeleton } from '#/features/listings/PlaceGrid'
import { listingTypesOptions } from '#/features/listings/queries'
import { useResolved } from '#/features/listings/use-resolved'
import { useSite } from '#/features/site/site'
import { useDocumentTitle } from '#/lib/document-title'
import { lastSlug } from '#/lib/share-path'
import { Retry } from '#/ui/Retry'
import { NotFoundPage } from './not-found'

export function ListingTypePage() {
  const resolved = useResolved('listing-type')
  if (resolved.state === 'absent') return <NotFoundPage />
  if (resolved.state === 'failed') return <Retry onRetry={resolved.retry} />
  if (resolved.state === 'loading') return <PlaceGridSkeleton />
  return <OneType key={resolved.id} id={resolved.id} path={resolved.canonical} />
}

function OneType({ id, path }: { id: number; path: string }) {
  const site = useSite()
  const types = useQuery(listingTypesOptions())
  const slug = lastSlug(path)
  const name = types.data?.find((type) => type.id === id)?.name
  const fixed = useMemo(() => ({ type: slug }), [slug])
  useDocumentTitle(name, site.name)
  if (types.isPending) return <PlaceGridSkeleton />
  return <FilteredPlaces title={name ?? 'Places'} kicker={site.city} fixed={fixed} />
}
