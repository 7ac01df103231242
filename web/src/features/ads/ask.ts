import { api, dataOf } from '#/lib/http'
import type { Ad, AdsQuery } from '#/api/types'
import type { PageOfAds, Screen } from './slots'

/** An answer that takes longer comes to an empty page, in milliseconds. */
const PATIENCE = 5_000
/** The most keywords that the server takes. */
const MOST_KEYWORDS = 20

/** The ads of a page's slots on a screen, by what the page is about: the request has no cookie and no identifier. */
export async function askForAds(
  { page, section, article, listingType, neighbourhood, keywords }: PageOfAds,
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
    ...(keywords?.length && { keywords: keywords.slice(0, MOST_KEYWORDS).join(',') }),
  }
  const answer = api.GET('/api/v2/ads/', {
    params: { query },
    credentials: 'omit',
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
  })
  return (await dataOf(answer)).results
}
