import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { syncConsent } from '#/features/consent/account'
import { storeAnswer, storedAnswer } from '#/features/consent/consent'
import { savedMap } from '#/features/saved/saved'
import { queryClient, session } from '#/features/session/current'
import { PROFILE_ID, REMINDER_CLOSED } from '#/features/session/session'
import { systemClock } from '#/lib/time'
import { SITE } from '../../../test/app-around'
import { AT, ROBIN } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, allResponsesRead, server, withTestServer } from '../../../test/server'
import { ReminderBadge } from './ReminderBadge'
import { LateTodoReminder } from './late-reminders'

withTestServer()

const todos = savedMap('todo')
const favourites = savedMap('favourite')
const ratings = savedMap('rating')

let hasSubmitted: boolean
let isMeAsked: boolean
let todoIds: number[]
let favouriteIds: number[]
let ratedIds: number[]

beforeEach(() => {
  hasSubmitted = false
  isMeAsked = false
  todoIds = []
  favouriteIds = []
  ratedIds = []
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
    http.get('/api/v2/favourites/listing_ids/', ({ response }) =>
      response(200).json({
        results: favouriteIds.map((id) => ({ id, listing_id: id })),
        server_time: AT,
      }),
    ),
    http.get('/api/v2/ratings/listing_ids/', ({ response }) =>
      response(200).json({
        results: ratedIds.map((id) => ({ id, listing_id: id, rating: 4 })),
        server_time: AT,
      }),
    ),
  )
})

afterEach(() => {
  act(() => {
    session.end()
    storedAnswer.set(null)
  })
  queryClient.clear()
  window.sessionStorage.clear()
})

async function logIn(): Promise<void> {
  document.cookie = 'signed_in=1'
  await session.start()
  await Promise.all([todos, favourites, ratings].map((map) => map.observe(AT)))
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
  /** Reports the position of the end of the story, as the browser does after a scroll. */
  let scrollTo: (end: 'below' | 'within' | 'above') => Promise<void>
  let margins: (string | undefined)[]

  function heightIs(height: number): void {
    vi.spyOn(document.body, 'getBoundingClientRect').mockReturnValue({ height } as DOMRect)
  }

  // Its code loads at the end of the story.
  beforeAll(async () => {
    await import('./TodoReminder')
  })

  beforeEach(async () => {
    margins = []
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
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: (entries: object[]) => void, options?: IntersectionObserverInit) {
          margins.push(options?.rootMargin)
          scrollTo = (end) =>
            act(async () => {
              callback([
                {
                  isIntersecting: end === 'within',
                  boundingClientRect: { top: end === 'above' ? -1 : 600 },
                },
              ])
              await vi.dynamicImportSettled()
            })
        }
        observe(): void {}
        disconnect(): void {}
      },
    )
    document.cookie = 'signed_in=; Max-Age=0'
    await session.start()
  })
  afterEach(() => vi.unstubAllGlobals())

  function Page({ place }: { place: typeof PLACE }) {
    const [end, setEnd] = useState<Element | null>(null)
    return (
      <main tabIndex={-1}>
        <p>the story</p>
        <span ref={setEnd} />
        <LateTodoReminder place={place} end={end} />
      </main>
    )
  }

  const show = async (place = PLACE, site = {}): Promise<void> => {
    renderApp(<Page place={place} />, { client: queryClient, site })
    await screen.findByText('the story')
  }
  const read = async (place = PLACE, site = {}): Promise<void> => {
    await show(place, site)
    await scrollTo('within')
  }

  it('is hidden at 999 px and shown at 1000 px, measured again when images have loaded', async () => {
    heightIs(999)
    await read()
    expect(shown()).toBeNull()
    heightIs(1000)
    measure()
    expect(shown()).toBeVisible()
    heightIs(999)
    measure()
    expect(shown()).toBeNull()
  })

  it('waits until the reader has reached the end of the story, and stays when the reader scrolls back', async () => {
    heightIs(2000)
    await show()
    await scrollTo('below')
    expect(shown()).toBeNull()
    await scrollTo('within')
    expect(shown()).toBeVisible()
    expect(margins).toEqual(['0px 0px -30% 0px'])
    await scrollTo('below')
    expect(shown()).toBeVisible()
  })

  it('is shown to a reader who has jumped past the end of the story', async () => {
    heightIs(2000)
    await show()
    await scrollTo('above')
    expect(shown()).toBeVisible()
  })

  it('waits for an answer to the consent banner', async () => {
    heightIs(2000)
    await syncConsent()
    await read(PLACE, { consent: { ...SITE.consent, asks: true } })
    expect(shown()).toBeNull()
    act(() => storeAnswer({ choice: 'needed', at: Date.now(), version: '', unrecordedOf: null }))
    expect(shown()).toBeVisible()
  })

  it('is not shown for a closed place', async () => {
    heightIs(2000)
    await read({ ...PLACE, is_closed: true })
    expect(shown()).toBeNull()
  })

  it.each([
    ['listed', () => (todoIds = [9])],
    ['favourited', () => (favouriteIds = [9])],
    ['rated', () => (ratedIds = [9])],
  ])('is not shown to a reader who has %s the place', async (_, decide) => {
    decide()
    await logIn()
    heightIs(2000)
    await read()
    expect(shown()).toBeNull()
  })

  it('is shown to a reader who has only decided about another place', async () => {
    ;[todoIds, favouriteIds, ratedIds] = [[8], [8], [8]]
    await logIn()
    heightIs(2000)
    await read()
    expect(shown()).toBeVisible()
  })

  it('is not shown while the reader’s decisions are unknown', async () => {
    document.cookie = 'signed_in=1'
    await session.start()
    heightIs(2000)
    await read()
    expect(shown()).toBeNull()
    await act(() => Promise.all([todos, favourites, ratings].map((map) => map.observe(AT))))
    expect(shown()).toBeVisible()
  })

  it('stays away for the visit once it is closed, and keeps the focus on the page', async () => {
    heightIs(2000)
    await read()
    await userEvent.click(await screen.findByRole('button', { name: 'Close' }))
    expect(shown()).toBeNull()
    expect(screen.getByRole('main')).toHaveFocus()
    await read({ ...PLACE, id: 10 })
    expect(shown()).toBeNull()
  })
})
