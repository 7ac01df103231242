import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { worthRetrying } from './http'

/** The first part of every key of personal data. */
export const PERSONAL = 'personal'

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: worthRetrying,
        staleTime: 60_000,
        // Long enough for Back to find the list.
        gcTime: 30 * 60_000,
        refetchOnWindowFocus: false,
      },
    },
  })
}

/**
 * Refetches data after a change. A running first request is cancelled: its answer may be older than
 * the change, but the library would treat it as fresh.
 */
export async function refetchChanged(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}

export function removePersonalData(client: QueryClient): void {
  void client.cancelQueries({ queryKey: [PERSONAL] })
  client.removeQueries({ queryKey: [PERSONAL] })
}
