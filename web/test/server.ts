import { setupServer } from 'msw/node'
import { createOpenApiHttp } from 'openapi-msw'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { paths } from '#/api/schema'
import { endTimersAndListeners } from './begin-file'
import { flushTasks } from './deferred'

/** Handlers with the types of the OpenAPI document. */
export const http = createOpenApiHttp<paths>({ baseUrl: window.location.origin })

export const server = setupServer()

const pending = new Set<string>()
server.events.on('request:start', ({ request, requestId }) => {
  pending.add(requestId)
  request.signal.addEventListener('abort', () => pending.delete(requestId))
})
server.events.on('request:end', ({ requestId }) => void pending.delete(requestId))

/** Waits until every request has been answered and the tested code has read the response. */
export async function allResponsesRead(): Promise<void> {
  for (let idle = 0; idle < 5; idle = pending.size > 0 ? 0 : idle + 1) await flushTasks()
}

/** Lets the tested code read the responses to its last requests; a handler that never responds is not waited for. */
async function lastResponsesRead(): Promise<void> {
  for (let turn = 0; turn < 50 && pending.size > 0; turn += 1) await flushTasks()
  for (let turn = 0; turn < 5; turn += 1) await flushTasks()
}

export function withTestServer(): void {
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(async () => {
    endTimersAndListeners()
    await lastResponsesRead()
    server.close()
  })
}
