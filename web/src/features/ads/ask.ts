import { api, dataOf } from '#/lib/http'
import type { Ad, AdsQuery } from '#/api/types'
import type { PageOfAds, Screen } from './slots'

/** An answer that takes longer comes to an empty page, in milliseconds. */
const PATIENCE = 5_000
/** The most tags that the server takes. */
const MOST_TAGS = 20

/** The ads of a page's slots on a screen, by what the page is about: the request has no cookie and no identifier. */
export async function askForAds(
  { page, section, article, listingType, neighbourhood, tags }: PageOfAds,
  screen: Screen,
  signal: AbortSignal,
): Promise<readonly Ad[]> {
  const query: AdsQuery = {
    page,
    screen,
    ...(section !== undefined && { section }),
    ...(article !== undefined && { article_id: article }),
    ...(listingType !== undefined && { listing_type: listingType }),
    ...(neighbourhood !== undefined && { neighbourhood }),
    ...(tags?.length && { tags: tags.slice(0, MOST_TAGS).join(',') }),
  }
  const answer = api.GET('/api/v2/ads/', {
    params: { query },
    credentials: 'omit',
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
  })
  return (await dataOf(answer)).results
}
