import type { Listing } from '#/api/types'
import type { PageOfAds } from '#/features/ads/slots'
import { lastSlug } from '#/lib/share-path'

/** What a page of a place tells when it asks for ads; null for a place with an age limit. */
export function aboutPlace(page: 'place' | 'photo', place: Listing): PageOfAds | null {
  const { type, default_neighborhood: area } = place
  if (type.is_age_restricted) return null
  return {
    page,
    listingType: lastSlug(type.share_url),
    neighbourhood: area ? lastSlug(area.share_url) : undefined,
  }
}
