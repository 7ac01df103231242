import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '#/lib/http'
import { calendarKeys } from './keys'

/** The connection to the reader's own calendar. */
export function calendarOptions() {
  return queryOptions({
    queryKey: calendarKeys.connection(),
    queryFn: ({ signal }) => dataOf(api.GET('/api/v2/profiles/me/calendar/', { signal })),
    // Another device may have connected it.
    staleTime: 0,
  })
}
