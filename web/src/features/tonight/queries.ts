import { apiQuery } from '#/lib/api-queries'
import { parseInstant, systemClock } from '#/lib/time'

/** The shortest time between two requests, in case the device's clock is ahead. */
const MIN_INTERVAL = 10 * 60_000

/** The day's file, which is the same for everyone. It is fetched again when the day ends. */
export function tonightOptions() {
  return {
    ...apiQuery('/api/v2/tonight/'),
    // The service worker has a copy.
    networkMode: 'offlineFirst' as const,
    refetchInterval: ({ state }: { state: { data?: { ends_at: string } | undefined } }) =>
      state.data !== undefined &&
      Math.max(parseInstant(state.data.ends_at) - systemClock.now(), MIN_INTERVAL),
  }
}
