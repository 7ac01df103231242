import { QueryClient } from '@tanstack/react-query'
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

export function forgetPersonal(client: QueryClient): void {
  void client.cancelQueries({ queryKey: [PERSONAL] })
  client.removeQueries({ queryKey: [PERSONAL] })
}
