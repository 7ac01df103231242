import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { FilteredPlaces } from '#/features/listings/FilteredPlaces'
import { PlaceGridSkeleton } from '#/features/listings/PlaceGrid'
import { neighbourhoodsOptions } from '#/features/listings/queries'
import { useResolved } from '#/features/listings/use-resolved'
import { useSite } from '#/features/site/site'
import { useDocumentTitle } from '#/lib/document-title'
import { lastSlug } from '#/lib/share-path'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { NotFoundPage } from './not-found'

export function NeighbourhoodPage() {
  const resolved = useResolved('neighbourhood')
  if (resolved.state === 'absent') return <NotFoundPage />
  if (resolved.state === 'failed') return <Retry onRetry={resolved.retry} />
  if (resolved.state === 'loading') return <PlaceGridSkeleton />
  return <OneNeighbourhood key={resolved.id} id={resolved.id} path={resolved.canonical} />
}

function OneNeighbourhood({ id, path }: { id: number; path: string }) {
  const site = useSite()
  const neighbourhoods = useQuery(neighbourhoodsOptions())
  const slug = lastSlug(path)
  const name = neighbourhoods.data?.find((row) => row.id === id)?.name
  const fixed = useMemo(() => ({ neighbourhood: slug }), [slug])
  useDocumentTitle(name, site.name)
  if (neighbourhoods.isPending) return <PlaceGridSkeleton />
  return (
    <FilteredPlaces
      title={name ?? 'Neighbourhood'}
      kicker={<SiteLink href="/neighbourhoods/">Neighbourhoods</SiteLink>}
      fixed={fixed}
    />
  )
}
