import type { Listing } from '#/api/types'
import type { PageSubject } from '#/features/ads/slots'
import { lastSlug } from '#/lib/share-path'

/** The description of a place's page in a request for ads; null for a place with an age limit. */
export function aboutPlace(page: 'place' | 'photo', place: Listing): PageSubject | null {
  const { type, default_neighborhood: area } = place
  if (type.is_age_restricted) return null
  return {
    page,
    listingType: lastSlug(type.share_url),
    neighbourhood: area ? lastSlug(area.share_url) : undefined,
  }
}
