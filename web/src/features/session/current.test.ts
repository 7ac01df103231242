import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ROBIN } from '../../../test/reader'
import { http, server, withTestServer } from '../../../test/server'
import { queryClient, watchSession } from './current'
import { meOptions } from './queries'

withTestServer()
queryClient.mount()
watchSession()

const otherTab = new BroadcastChannel('cityguide:changes')
let me = ROBIN
let stop: () => void

/** Shows the reader's profile, which has not been confirmed yet. */
beforeEach(async () => {
  me = { ...ROBIN, email_verified: false }
  server.use(http.get('/api/v2/profiles/me/', ({ response }) => response(200).json(me)))
  stop = new QueryObserver(queryClient, meOptions()).subscribe(() => {})
  await vi.waitFor(() => expect(shown()).toBe(false))
  me = ROBIN
})

afterEach(() => {
  stop()
  queryClient.clear()
})

const shown = () => queryClient.getQueryData(meOptions().queryKey)?.email_verified

it.each([
  ['another tab has changed it', () => otherTab.postMessage('changed')],
  ['the reader returns to the tab', () => window.dispatchEvent(new Event('visibilitychange'))],
  [
    'Back restores the page from memory',
    () => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  ],
])('shows the reader’s current data once %s', async (_, happen) => {
  happen()
  await vi.waitFor(() => expect(shown()).toBe(true))
})

it('notifies the other tabs of a change', async () => {
  const received = new Promise((resolve) => {
    otherTab.onmessage = ({ data }) => resolve(data)
  })
  const change = new MutationObserver(queryClient, { mutationFn: async () => ROBIN })
  await change.mutate()
  expect(await received).toBe('changed')
})
