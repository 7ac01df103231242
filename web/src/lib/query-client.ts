import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { worthRetrying } from './http'

/** The first part of every key that holds something personal. */
export const PERSONAL = 'personal'

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: worthRetrying,
        staleTime: 60_000,
        // Long enough for Back to find the list as it was.
        gcTime: 30 * 60_000,
        refetchOnWindowFocus: false,
      },
    },
  })
}

/**
 * Fetches again what a change has made old. A first answer that is still on its way was asked for
 * before the change, and the library would take it for fresh: it is given up.
 */
export async function refetchChanged(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}

export function forgetPersonal(client: QueryClient): void {
  void client.cancelQueries({ queryKey: [PERSONAL] })
  client.removeQueries({ queryKey: [PERSONAL] })
}
