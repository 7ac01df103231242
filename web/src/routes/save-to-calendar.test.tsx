import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import type { Calendar, Profile, Site } from '#/api/types'
import CalendarDialog from '#/features/calendar/CalendarDialog'
import { CalendarSettings } from '#/features/calendar/CalendarSettings'
import { closeCalendarQuestion } from '#/features/calendar/question'
import { SaveButton } from '#/features/saved/SaveButton'
import { savedMap } from '#/features/saved/saved'
import { queryClient, session } from '#/features/session/current'
import { siteOptions } from '#/features/site/site'
import * as sitePath from '#/lib/site-path'
import { SITE } from '../../test/app-around'
import { AT, ROBIN } from '../../test/reader'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'

withTestServer()

const GOOGLE = 'https://accounts.example/consent?state=s'
const EVENT = 9

let me: Profile
let calendar: Calendar
let posted: unknown[]
let chosen: unknown[]
let isAuthorised: boolean
let requests: string[]
let leave: MockInstance<typeof sitePath.leaveSite>

beforeEach(() => {
  me = { ...ROBIN, calendar_sync: null }
  calendar = { is_connected: false, date_connected: null }
  posted = []
  chosen = []
  requests = []
  isAuthorised = true
  leave = vi.spyOn(sitePath, 'leaveSite').mockImplementation(() => {})
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
    http.get('/api/v2/profiles/me/', ({ response }) => response(200).json(me)),
    http.put('/api/v2/profiles/me/', async ({ request, response }) => {
      const body = await request.json()
      chosen.push(body.calendar_sync)
      me = { ...me, calendar_sync: body.calendar_sync }
      return response(200).json(me)
    }),
    http.post('/api/v2/event-bookmarks/', async ({ request, response }) => {
      const body = await request.json()
      posted.push(body.add_to_calendar)
      if (body.add_to_calendar && !isAuthorised) {
        const refused = { status: 101, code: 'calendar_authorization_required', detail: 'First.' }
        return response.untyped(HttpResponse.json(refused, { status: 409 }))
      }
      const saved = { id: 50, object_id: EVENT, server_time: AT, previous_update: null }
      return response(201).json(saved)
    }),
    http.get('/api/v2/profiles/oauth-authorization', ({ query, response }) => {
      requests.push(query.get('next_url') ?? '')
      return response(200).json({ authorization_url: GOOGLE })
    }),
    http.get('/api/v2/profiles/me/calendar/', ({ response }) => response(200).json(calendar)),
    http.delete('/api/v2/profiles/me/calendar/', ({ response }) => {
      calendar = { is_connected: false, date_connected: null }
      return response.untyped(new HttpResponse(null, { status: 204 }))
    }),
  )
})

afterEach(() => {
  act(() => {
    closeCalendarQuestion(undefined)
    session.end()
  })
  savedMap('event-bookmark').clear()
  queryClient.clear()
})

async function show(hasCalendars = true): Promise<HTMLElement> {
  document.cookie = 'signed_in=1'
  queryClient.setQueryData(siteOptions().queryKey, {
    ...SITE,
    has_calendars: hasCalendars,
    newsletters: [],
  } as unknown as Site)
  await session.start()
  renderApp(
    <>
      <SaveButton kind="event-bookmark" objectId={EVENT} name="Market" />
      <CalendarDialog />
    </>,
    { client: queryClient, at: '/events/market/' },
  )
  return screen.findByRole('button', { name: 'Save Market' })
}

const dialog = () => screen.findByRole('dialog', { name: 'Save to calendar' })
const answer = async (name: string) =>
  userEvent.click(within(await dialog()).getByRole('button', { name }))

describe('a reader who has not chosen', () => {
  it('is asked, and a Yes is stored and saves with the calendar', async () => {
    await userEvent.click(await show())
    expect(posted).toEqual([])
    await answer('Yes, add them')
    await waitFor(() => expect(posted).toEqual([true]))
    expect(chosen).toEqual([true])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('is asked, and a No is stored and saves without the calendar', async () => {
    await userEvent.click(await show())
    await answer('No, save them here only')
    await waitFor(() => expect(posted).toEqual([false]))
    expect(chosen).toEqual([false])
  })

  it('stores and saves nothing by closing the dialog', async () => {
    const button = await show()
    await userEvent.click(button)
    await answer('Close')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await userEvent.click(button)
    await dialog()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect([posted, chosen]).toEqual([[], []])
    expect(button).toHaveAttribute('aria-pressed', 'false')
  })

  it('sees an error when the answer cannot be stored, and nothing is saved', async () => {
    server.use(
      http.put('/api/v2/profiles/me/', ({ response }) =>
        response.untyped(
          HttpResponse.json({ code: 'unavailable', detail: 'Soon.' }, { status: 503 }),
        ),
      ),
    )
    await userEvent.click(await show())
    await answer('Yes, add them')
    expect(await screen.findByRole('alert')).not.toBeEmptyDOMElement()
    expect(posted).toEqual([])
  })
})

describe('a reader who has chosen', () => {
  it.each([true, false])('saves without a dialog: %s', async (choice) => {
    me = { ...me, calendar_sync: choice }
    await userEvent.click(await show())
    await waitFor(() => expect(posted).toEqual([choice]))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(chosen).toEqual([])
    expect(leave).not.toHaveBeenCalled()
  })

  it('is led to the page that authorises the calendar after status 101', async () => {
    me = { ...me, calendar_sync: true }
    isAuthorised = false
    const button = await show()
    await userEvent.click(button)
    await waitFor(() => expect(leave).toHaveBeenCalledExactlyOnceWith(GOOGLE))
    expect(requests).toEqual([sitePath.currentPath()])
    expect(button).toHaveAttribute('aria-pressed', 'false')
  })
})

it('asks nothing if the site does not support calendars', async () => {
  await userEvent.click(await show(false))
  await waitFor(() => expect(posted).toEqual([false]))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

describe('the dashboard’s calendar settings', () => {
  const settings = (choice: boolean | null) =>
    renderApp(<CalendarSettings me={{ ...ROBIN, calendar_sync: choice }} />, {
      client: queryClient,
    })

  it('connects a calendar', async () => {
    settings(null)
    await userEvent.click(await screen.findByRole('button', { name: 'Connect Google calendar' }))
    await waitFor(() => expect(leave).toHaveBeenCalledExactlyOnceWith(GOOGLE))
    await userEvent.click(screen.getByRole('button', { name: 'Do not add saved events' }))
    await waitFor(() => expect(chosen).toEqual([false]))
  })

  it('disconnects it', async () => {
    calendar = { is_connected: true, date_connected: AT }
    settings(true)
    expect(await screen.findByText('Your Google calendar is connected.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Disconnect Google calendar' }))
    expect(await screen.findByText('Your Google calendar is not connected.')).toBeVisible()
  })
})
