import { ApiError } from '#/lib/http'
import { addressOf } from '#/lib/pages'
import type { Ad } from './ad'
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
  const query = {
    page,
    screen,
    section,
    article_id: article?.toString(),
    listing_type: listingType,
    neighbourhood,
    keywords: keywords?.slice(0, MOST_KEYWORDS).join(','),
  }
  const answer = await fetch(addressOf('/api/v2/ads/', query), {
    credentials: 'omit',
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
  })
  if (!answer.ok) throw new ApiError(answer.status)
  return ((await answer.json()) as { results: Ad[] }).results
}
