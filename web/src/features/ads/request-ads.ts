import { api } from '#/lib/api'
import { dataOf } from '#/lib/http'
import type { Ad, AdsQuery } from '#/api/types'
import type { PageSubject, Screen } from './slots'

/** The page stays without ads if the answer takes longer, in milliseconds. */
const TIMEOUT = 5_000
/** The server's maximum number of tags. */
const MAX_TAGS = 20

/** Requests the ads of a page on a screen. The request contains the page's subject, and no cookie or identifier. */
export async function requestAds(
  { page, section, article, listingType, neighbourhood, tags }: PageSubject,
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
    ...(tags?.length && { tags: tags.slice(0, MAX_TAGS).join(',') }),
  }
  const answer = api.GET('/api/v2/ads/', {
    params: { query },
    credentials: 'omit',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
  })
  return (await dataOf(answer)).results
}
