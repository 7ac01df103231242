import createClient, { type Middleware } from 'openapi-fetch'
import type { paths } from '#/api/schema'
import { ApiError, failure, outdateCache, requestProof } from './http'

const failuresAreErrors: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await failure(response)
    return response
  },
  onError({ error }) {
    if (error instanceof ApiError || (error instanceof Error && error.name === 'AbortError')) return
    return new ApiError(0)
  },
}

/** Copies of the changes under way, because a body can be sent only once. */
const copies = new Map<string, Request>()

/** Changes to sign-in methods require a recent sign-in: asks for one, then repeats the refused change. */
const repeatsOnceProven: Middleware = {
  onRequest({ request, id }) {
    if (request.method === 'GET') return
    outdateCache()
    copies.set(id, request.clone())
  },
  async onResponse({ response, id }) {
    const copy = copies.get(id)
    copies.delete(id)
    if (!copy || response.status !== 403) return
    const { body } = await failure(response.clone())
    if (body['code'] === 'fresh_proof_required' && (await requestProof())) {
      return globalThis.fetch(copy)
    }
  },
  onError({ id }) {
    copies.delete(id)
  },
}

export const client = createClient<paths>({
  baseUrl: window.location.origin,
  // Looks up `fetch` at each call, so that tests can replace it.
  fetch: (request) => globalThis.fetch(request),
})
// The last middleware sees an answer first.
client.use(failuresAreErrors, repeatsOnceProven)
