import { queryOptions } from '@tanstack/react-query'
import { apiQuery, resultsOf } from '#/lib/api-queries'

/** The current advertisers, by name. */
export function advertisersOptions() {
  return queryOptions({ ...apiQuery('/api/v2/ads/advertisers/'), select: resultsOf })
}
