import { setupServer } from 'msw/node'
import { createOpenApiHttp } from 'openapi-msw'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { paths } from '#/api/schema'

/** Handlers typed by the same document as the client. */
export const http = createOpenApiHttp<paths>({ baseUrl: window.location.origin })

export const server = setupServer()

export function withTestServer(): void {
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
}
