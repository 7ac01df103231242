import { queryOptions } from '@tanstack/react-query'
import type { Advertiser } from '#/api/types'
import { beginning } from '#/lib/first-answers'
import { api, dataOf } from '#/lib/http'
import { adKeys } from './keys'

const ADVERTISERS = '/api/v2/ads/advertisers/'

/** Everybody who advertises now, by name. */
export function advertisersOptions() {
  return queryOptions({
    queryKey: adKeys.advertisers(),
    queryFn: async ({ signal }) => (await dataOf(api.GET(ADVERTISERS, { signal }))).results,
    ...beginning(ADVERTISERS, (all: { results: Advertiser[] }) => all.results),
  })
}
