import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { AdPage } from '#/features/ads/AdPage'
import { useAge } from '#/features/age-gate/age'
import { listingOptions } from '#/features/listings/queries'
import { resolveOptions } from '#/features/pages/queries'
import { PhotoViewer } from '#/features/photos/PhotoViewer'
import { aboutPlace } from './about-place'

/** A photo of a place, over the place's page, which uses the same queries. */
export function PhotoPage() {
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const path = `/${params.first ?? ''}/${params.second ?? ''}/`
  const resolved = useQuery(resolveOptions(path))
  const place = useQuery({
    ...listingOptions(resolved.data?.id ?? 0),
    enabled: resolved.data?.kind === 'listing',
  })
  const age = useAge()
  if (!place.data) return null
  if (place.data.type.is_age_restricted && age !== 'yes') return null
  return (
    <AdPage about={aboutPlace('photo', place.data)}>
      <PhotoViewer place={place.data} id={Number(params.photo)} />
    </AdPage>
  )
}
