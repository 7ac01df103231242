import { MutationCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { isStatus, worthRetrying } from './http'
import { toast } from './toast'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The toast's text if the change fails, for a control that shows no error itself. */
      failure?: string
    }
  }
}

/** The first part of every key of personal data. */
export const PERSONAL = 'personal'

export function makeQueryClient(): QueryClient {
  const client = new QueryClient({
    mutationCache: new MutationCache({
      onError: (error, variables, _, mutation) => {
        const { failure } = mutation.meta ?? {}
        // After a 401 the log-in dialog opens.
        if (!failure || isStatus(error, 401)) return
        const repeated = () => client.getMutationCache().build(client, mutation.options)
        const retry = () =>
          void repeated()
            .execute(variables)
            .catch(() => undefined)
        toast.set({ message: failure, retry })
      },
    }),
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
  return client
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
