import type { client } from './api-client'
import { ApiError } from './http'
import { loadOnce } from './load-once'

type Client = typeof client
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const loadClient = loadOnce(async () => (await import('./api-client')).client)

/** Loads the client before the first call. */
export async function prepareApi(): Promise<void> {
  await loadClient().catch(() => undefined)
}

function method<M extends Method>(name: M): Client[M] {
  const call = async (...given: unknown[]): Promise<unknown> => {
    const loaded = await loadClient().catch(() => {
      throw new ApiError(0)
    })
    return (loaded[name] as (...given: unknown[]) => unknown)(...given)
  }
  return call as Client[M]
}

/** The API's client, whose code loads with the first call: pages render from answers that are read without it. */
export const api: Pick<Client, Method> = {
  GET: method('GET'),
  POST: method('POST'),
  PUT: method('PUT'),
  PATCH: method('PATCH'),
  DELETE: method('DELETE'),
}
