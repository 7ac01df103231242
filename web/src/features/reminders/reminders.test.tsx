import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { savedMap } from '#/features/saved/saved'
import { queryClient, session } from '#/features/session/current'
import { PROFILE_ID, REMINDER_CLOSED } from '#/features/session/session'
import { systemClock } from '#/lib/time'
import { AT, ROBIN } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, allResponsesRead, server, withTestServer } from '../../../test/server'
import { ReminderBadge } from './ReminderBadge'
import { TodoReminder } from './TodoReminder'

withTestServer()

const todos = savedMap('todo')

let hasSubmitted: boolean
let isMeAsked: boolean
let todoIds: number[]

beforeEach(() => {
  hasSubmitted = false
  isMeAsked = false
  todoIds = []
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
    http.get('/api/v2/profiles/me/', ({ response }) => {
      isMeAsked = true
      return response(200).json({ ...ROBIN, has_submitted_todo: hasSubmitted })
    }),
    http.get('/api/v2/todos/listing_ids/', ({ response }) =>
      response(200).json({
        results: todoIds.map((id) => ({ id, listing_id: id, is_done: false })),
        server_time: AT,
      }),
    ),
  )
})

afterEach(() => {
  act(() => session.end())
  queryClient.clear()
  window.sessionStorage.clear()
})

async function logIn(): Promise<void> {
  document.cookie = 'signed_in=1'
  await session.start()
  await todos.observe(AT)
}

describe('the reminder badge', () => {
  const badge = () => screen.findByRole('complementary', { name: 'About to-dos' })
  const none = async (): Promise<void> => {
    await act(allResponsesRead)
    expect(screen.queryByRole('complementary')).toBeNull()
  }

  it('is shown to a reader who has never had a to-do', async () => {
    await logIn()
    renderApp(<ReminderBadge />, { client: queryClient })
    expect(await badge()).toBeVisible()
  })

  it('is not shown to a guest', async () => {
    await session.start()
    renderApp(<ReminderBadge />, { client: queryClient })
    await none()
    expect(isMeAsked).toBe(false)
  })

  it('is not shown to a reader who has removed their last to-do', async () => {
    hasSubmitted = true
    await logIn()
    renderApp(<ReminderBadge />, { client: queryClient })
    await waitFor(() => expect(isMeAsked).toBe(true))
    await none()
  })

  it('is not shown, and nothing is requested, while there is a to-do', async () => {
    todoIds = [9]
    await logIn()
    renderApp(<ReminderBadge />, { client: queryClient })
    await none()
    expect(isMeAsked).toBe(false)
  })

  it('stays hidden when the first to-do is removed immediately', async () => {
    server.use(
      http.post('/api/v2/todos/', ({ response }) =>
        response(201).json({
          id: 5,
          listing_id: 9,
          is_done: false,
          server_time: AT,
          previous_update: null,
        }),
      ),
      http.delete('/api/v2/todos/{id}/', ({ response }) => response(204).empty()),
    )
    await logIn()
    renderApp(<ReminderBadge />, { client: queryClient })
    await badge()
    for (const value of [false, null]) {
      await act(async () => {
        todos.put(9, value)
        await todos.settled()
      })
      await none()
    }
  })

  it('stores the city’s day when it is closed, and stays away for a month', async () => {
    // Still 31 January in Toronto.
    const clock = vi.spyOn(systemClock, 'now').mockReturnValue(Date.UTC(2027, 1, 1, 2))
    await logIn()
    renderApp(<ReminderBadge />, { client: queryClient })
    await badge()
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('complementary')).toBeNull()
    expect(window.localStorage.getItem(REMINDER_CLOSED)).toBe('2027-01-31')

    clock.mockReturnValue(Date.UTC(2027, 1, 28, 18))
    renderApp(<ReminderBadge />, { client: queryClient })
    await none()
    clock.mockReturnValue(Date.UTC(2027, 2, 1, 18))
    renderApp(<ReminderBadge />, { client: queryClient })
    expect(await badge()).toBeVisible()
  })

  it('does not remember the day for another reader', async () => {
    window.localStorage.setItem(PROFILE_ID, '6')
    window.localStorage.setItem(REMINDER_CLOSED, '2026-11-20')
    await logIn()
    expect(window.localStorage.getItem(REMINDER_CLOSED)).toBeNull()
  })
})

describe('the floating reminder', () => {
  const PLACE = { id: 9, name: 'The Wren', is_closed: false }
  const shown = () => screen.queryByRole('complementary', { name: 'Reminder' })
  let measure: () => void

  function heightIs(height: number): void {
    vi.spyOn(document.body, 'getBoundingClientRect').mockReturnValue({ height } as DOMRect)
  }

  beforeEach(() => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(callback: () => void) {
          measure = () => act(callback)
        }
        observe(): void {}
        disconnect(): void {}
      },
    )
  })
  afterEach(() => vi.unstubAllGlobals())

  const show = async (place = PLACE): Promise<void> => {
    renderApp(
      <main tabIndex={-1}>
        <p>the page</p>
        <TodoReminder place={place} />
      </main>,
      { client: queryClient },
    )
    await screen.findByText('the page')
  }

  it('is hidden at 999 px and shown at 1000 px, measured again when images have loaded', async () => {
    heightIs(999)
    await show()
    expect(shown()).toBeNull()
    heightIs(1000)
    measure()
    expect(shown()).toBeVisible()
    heightIs(999)
    measure()
    expect(shown()).toBeNull()
  })

  it('is not shown for a closed place', async () => {
    heightIs(2000)
    await show({ ...PLACE, is_closed: true })
    expect(shown()).toBeNull()
  })

  it('is not shown for a place that is already a to-do', async () => {
    todoIds = [9]
    await logIn()
    heightIs(2000)
    await show()
    expect(shown()).toBeNull()
  })

  it('stays away for the visit once it is closed, and keeps the focus on the page', async () => {
    heightIs(2000)
    await show()
    await userEvent.click(await screen.findByRole('button', { name: 'Close' }))
    expect(shown()).toBeNull()
    expect(screen.getByRole('main')).toHaveFocus()
    await show({ ...PLACE, id: 10 })
    expect(shown()).toBeNull()
  })
})
