import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { AT } from '../../../test/reader'
import { server, withTestServer } from '../../../test/server'
import { SAVED_KINDS, SAVED_NAMES } from './kinds'

withTestServer()

it.each(SAVED_NAMES)('%s: a save and a removal continue when the page is left', async (name) => {
  const sent: { method: string; keepalive: boolean }[] = []
  server.use(
    http.all('/api/v2/*', ({ request: { method, keepalive } }) => {
      sent.push({ method, keepalive })
      return HttpResponse.json({ id: 50, server_time: AT, previous_update: null })
    }),
  )
  const { save, remove } = SAVED_KINDS[name]
  await save(9, true, undefined)
  await save(9, false, 50)
  await remove(50)
  expect(sent[0]).toEqual({ method: 'POST', keepalive: true })
  expect(sent.at(-1)).toEqual({ method: 'DELETE', keepalive: true })
  expect(sent).toHaveLength(3)
  expect(sent.every(({ keepalive }) => keepalive)).toBe(true)
})
