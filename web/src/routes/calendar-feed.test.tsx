import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CalendarFeed as Feed } from '#/api/types'
import { CalendarFeed } from '#/features/account/FeedControls'
import { queryClient, session } from '#/features/session/current'
import { FEED, NO_FEED } from '../../test/reader'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'

withTestServer()

const ANOTHER: Feed = { ...FEED, url: 'https://guide.example/calendar/another.ics' }

let stored: Feed
let made: Feed[]

beforeEach(() => {
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true })
  stored = NO_FEED
  made = [FEED, ANOTHER]
  server.use(
    http.get('/api/v2/profiles/me/calendar-feed/', ({ response }) => response(200).json(stored)),
    http.post('/api/v2/profiles/me/calendar-feed/', ({ response }) => {
      stored = made.shift() ?? NO_FEED
      return response(201).json(stored)
    }),
    http.delete('/api/v2/profiles/me/calendar-feed/', ({ response }) => {
      stored = NO_FEED
      return response.untyped(new HttpResponse(null, { status: 204 }))
    }),
  )
})

afterEach(() => {
  act(() => session.end())
  queryClient.clear()
})

const show = () => renderApp(<CalendarFeed />, { client: queryClient })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const answer = async (question: string, name: string) => {
  const dialog = await screen.findByRole('dialog', { name: question })
  await userEvent.click(within(dialog).getByRole('button', { name }))
}

it('creates an address that can be copied and opened in a calendar', async () => {
  const user = userEvent.setup()
  show()
  await user.click(await screen.findByRole('button', { name: 'Make a private address' }))
  expect(await screen.findByLabelText('Private address')).toHaveValue(FEED.url)
  expect(screen.getByRole('link', { name: /^Open in this device/ })).toHaveAttribute(
    'href',
    'webcal://guide.example/calendar/a-secret-of-this-test.ics',
  )
  await user.click(screen.getByRole('button', { name: 'Copy the address' }))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await window.navigator.clipboard.readText()).toBe(FEED.url)
})

it('asks before it replaces an address, and before it switches the feed off', async () => {
  stored = FEED
  made = [ANOTHER]
  show()
  await press('Make a new address')
  await answer('Make a new address?', 'Cancel')
  expect(made).toHaveLength(1)
  await press('Make a new address')
  await answer('Make a new address?', 'Make a new address')
  await waitFor(() => expect(screen.getByLabelText('Private address')).toHaveValue(ANOTHER.url))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await press('Switch the feed off')
  await answer('Switch the feed off?', 'Switch the feed off')
  expect(await screen.findByRole('button', { name: 'Make a private address' })).toBeVisible()
  expect(stored).toEqual(NO_FEED)
})

it('reports that the address cannot be created, and can be retried', async () => {
  server.use(
    http.post('/api/v2/profiles/me/calendar-feed/', ({ response }) =>
      response.untyped(
        HttpResponse.json({ code: 'unavailable', detail: 'Soon.' }, { status: 503 }),
      ),
    ),
  )
  show()
  await press('Make a private address')
  expect(await screen.findByRole('alert')).not.toBeEmptyDOMElement()
  expect(screen.getByRole('button', { name: 'Make a private address' })).toBeEnabled()
})

it('offers a new address if the present one can no longer be shown', async () => {
  stored = { ...FEED, url: null }
  show()
  expect(await screen.findByText(/its address can no longer be shown/)).toBeVisible()
  expect(screen.queryByLabelText('Private address')).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Make a new address' })).toBeVisible()
})
