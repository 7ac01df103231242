import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '#/lib/http'
import { sessionKeys } from './keys'

export function meOptions() {
  return queryOptions({
    queryKey: sessionKeys.me(),
    queryFn: ({ signal }) => dataOf(api.GET('/api/v2/profiles/me/', { signal })),
    staleTime: 5 * 60_000,
  })
}
