import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { authDialogs, closeDialogs } from '#/features/auth/dialogs'
import { savedMap } from '#/features/saved/saved'
import { queryClient, session } from '#/features/session/current'
import { renderApp } from '../../../test/render-app'
import { AT } from '../../../test/reader'
import { http, server, withTestServer } from '../../../test/server'
import { RatingControl } from './RatingControl'
import { thanks, THANKS_MS } from './thanks'

withTestServer()

const PLACE = { id: 9, name: 'Wren & Fennel' }
const ratings = savedMap('rating')

interface Sent {
  method: string
  body?: unknown
  keepalive?: boolean
}
let sent: Sent[] = []

const saved = (rating: number) => ({
  id: 50,
  listing_id: 9,
  rating,
  date_created: AT,
  server_time: AT,
  previous_update: null,
})

function serve(): void {
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
    http.post('/api/v2/ratings/', async ({ request, response }) => {
      const body = await request.clone().json()
      sent.push({ method: 'POST', body, keepalive: request.keepalive })
      return response(201).json(saved(body.rating ?? 0))
    }),
    http.patch('/api/v2/ratings/{id}/', async ({ params, request, response }) => {
      const body = await request.clone().json()
      sent.push({ method: `PATCH ${params.id}`, body, keepalive: request.keepalive })
      return response(200).json(saved(body.rating ?? 0))
    }),
    http.delete('/api/v2/ratings/{id}/', ({ params }) => {
      sent.push({ method: `DELETE ${params.id}` })
      return new HttpResponse(null, { status: 204, headers: { 'X-Server-Time': AT } }) as never
    }),
  )
}

async function signIn(stars: number | null): Promise<void> {
  document.cookie = 'signed_in=1'
  await session.start()
  const map = stars === null ? {} : { 9: [50, stars] }
  window.localStorage.setItem('ratings:listingMap', JSON.stringify({ updated: AT, map }))
  ratings.load()
}

/** Renders the control for a reader with this rating of the place; null for none. */
async function show(stars: number | null, look: 'block' | 'bare' = 'block'): Promise<void> {
  await signIn(stars)
  renderApp(<RatingControl place={PLACE} look={look} />)
  await screen.findByRole('radiogroup', { name: 'Your rating of Wren & Fennel' })
}

const star = (name: string) => screen.getByRole('radio', { name })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const lit = () => screen.getAllByRole('radio').filter((each) => each.hasAttribute('data-on')).length

/** Confirms the stars under a stopped clock, so that the thanks last until {@link passTime}. */
async function confirm(): Promise<void> {
  const button = await screen.findByRole('button', { name: 'Confirm' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fireEvent.click(button)
}

function passTime(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })
}

/** Lets the thanks end, and restarts the clock. */
function endThanks(): void {
  passTime(THANKS_MS)
  vi.useRealTimers()
}

beforeEach(() => {
  sent = []
  serve()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  act(() => {
    session.end()
    closeDialogs()
  })
  queryClient.clear()
})

it('asks, thanks for 1600 ms, and then saves', async () => {
  await show(null)
  await userEvent.click(star('4 stars'))
  expect(await screen.findByText('Confirm 4 star rating:')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus()
  const put = vi.spyOn(ratings, 'put')
  await confirm()
  expect(screen.getByText('Thanks for rating!')).toBeVisible()
  expect(screen.queryByText('Confirm 4 star rating:')).toBeNull()
  expect(lit()).toBe(4)
  passTime(1599)
  expect(screen.getByText('Thanks for rating!')).toBeVisible()
  expect(put).not.toHaveBeenCalled()
  passTime(1)
  vi.useRealTimers()
  expect(screen.queryByText('Thanks for rating!')).toBeNull()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent).toEqual([{ method: 'POST', body: { listing: 9, rating: 4 }, keepalive: true }])
  expect(await screen.findByText('You gave it 4 stars.')).toBeVisible()
})

it('asks for nothing when the star of the rating is clicked', async () => {
  await show(2)
  await userEvent.click(star('2 stars'))
  expect(screen.queryByRole('group')).toBeNull()
  await userEvent.click(star('5 stars'))
  expect(await screen.findByText('Edit to 5 star rating:')).toBeVisible()
  await userEvent.click(star('2 stars'))
  expect(screen.queryByText(/Edit to/)).toBeNull()
})

it('offers only the removal when the star of the rating is clicked in the dock', async () => {
  await show(2, 'bare')
  await userEvent.click(star('2 stars'))
  const bubble = screen.getByRole('group', { name: 'You gave it 2 stars.' })
  const names = within(bubble)
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
  expect(names).toEqual(['Cancel', 'Remove'])
})

it('changes a rating by its record', async () => {
  await show(2)
  await userEvent.click(star('5 stars'))
  expect(await screen.findByText('Edit to 5 star rating:')).toBeVisible()
  await confirm()
  endThanks()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent).toEqual([{ method: 'PATCH 50', body: { rating: 5 }, keepalive: true }])
})

it.each([
  [null, 0],
  [3, 3],
])('shows what was when the reader cancels: %s', async (stars, expected) => {
  await show(stars)
  const put = vi.spyOn(ratings, 'put')
  for (const cancel of [() => press('Cancel'), () => userEvent.keyboard('{Escape}')]) {
    await userEvent.click(star('5 stars'))
    await screen.findByRole('button', { name: 'Cancel' })
    expect(lit()).toBe(5)
    await cancel()
    expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull()
    await userEvent.unhover(star('5 stars'))
    expect(lit()).toBe(expected)
    expect(screen.getByRole('radiogroup')).toContainElement(document.activeElement as HTMLElement)
  }
  // Nothing is waiting to be saved.
  expect(thanks.stars(PLACE.id)).toBeNull()
  expect(put).not.toHaveBeenCalled()
})

it('is answered by keys alone: arrows preview, Enter asks, Enter confirms', async () => {
  await show(null)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  expect(lit()).toBe(3)
  expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText('Confirm 3 star rating:')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByText('Thanks for rating!')).toBeVisible()
  expect(star('3 stars')).toHaveFocus()
})

it('asks about the other star when another one is clicked in the meantime', async () => {
  await show(null)
  await userEvent.click(star('2 stars'))
  await screen.findByText('Confirm 2 star rating:')
  await userEvent.click(star('5 stars'))
  expect(await screen.findByText('Confirm 5 star rating:')).toBeVisible()
  expect(screen.queryByText('Confirm 2 star rating:')).toBeNull()
})

it.each(['pagehide', 'visibilitychange'])('saves immediately at the event %s', async (event) => {
  await show(null)
  await userEvent.click(star('4 stars'))
  const put = vi.spyOn(ratings, 'put')
  await confirm()
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => {
    const target = event === 'pagehide' ? window : document
    target.dispatchEvent(new Event(event))
  })
  expect(put).toHaveBeenCalledExactlyOnceWith(PLACE.id, 4)
  endThanks()
  expect(put).toHaveBeenCalledOnce()
  await waitFor(() => expect(sent).toHaveLength(1))
})

it('saves although the reader opens another page of the site', async () => {
  await signIn(null)
  const { router } = renderApp(<RatingControl place={PLACE} look="block" />)
  await screen.findByRole('radiogroup')
  await userEvent.click(star('4 stars'))
  await confirm()
  await act(() => router.navigate({ to: '/' }))
  expect(screen.queryByRole('radiogroup')).toBeNull()
  endThanks()
  await waitFor(() => expect(sent).toHaveLength(1))
})

it.each([
  [null, 0],
  [3, 3],
])('restores the rating, without a message, when the save fails: %s', async (stars, expected) => {
  await show(stars)
  const failed = vi.fn()
  const fail = () => {
    failed()
    return HttpResponse.json({ code: 'internal' }, { status: 500 })
  }
  server.use(
    http.post('/api/v2/ratings/', ({ response }) => response.untyped(fail())),
    http.patch('/api/v2/ratings/{id}/', ({ response }) => response.untyped(fail())),
  )
  await userEvent.click(star('5 stars'))
  await confirm()
  endThanks()
  await waitFor(() => expect(failed).toHaveBeenCalled())
  await userEvent.unhover(star('5 stars'))
  await waitFor(() => expect(lit()).toBe(expected))
  expect(screen.queryByRole('alert')).toBeNull()
})

it.each(['block', 'bare'] as const)('removes a rating, in the look %s', async (look) => {
  await show(4, look)
  if (look === 'bare') await userEvent.click(star('4 stars'))
  await press('Remove your rating of Wren & Fennel')
  await waitFor(() => expect(sent).toEqual([{ method: 'DELETE 50' }]))
  await userEvent.unhover(star('4 stars'))
  expect(lit()).toBe(0)
  expect(star('1 star')).toHaveFocus()
  expect(screen.queryByRole('button', { name: /Remove/ })).toBeNull()
})

it('removes a rating that is still thanked for, and saves none', async () => {
  await show(4, 'bare')
  await userEvent.click(star('5 stars'))
  const put = vi.spyOn(ratings, 'put')
  await confirm()
  await act(async () => fireEvent.click(star('5 stars')))
  fireEvent.click(screen.getByRole('button', { name: 'Remove your rating of Wren & Fennel' }))
  endThanks()
  expect(put).toHaveBeenCalledExactlyOnceWith(PLACE.id, null)
  await waitFor(() => expect(sent).toEqual([{ method: 'DELETE 50' }]))
})

it('asks a guest to log in, and remembers the place and the stars', async () => {
  renderApp(<RatingControl place={PLACE} look="block" />)
  await screen.findByRole('radiogroup')
  await userEvent.click(star('4 stars'))
  await waitFor(() => expect(authDialogs.get().open).toBe('login'))
  expect(authDialogs.get().intent).toEqual({
    post_authenticate_action: 'rating',
    object_id: 9,
    rating: 4,
  })
  expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull()
  expect(lit()).toBeLessThan(5)
})

it('names its question, which has the focus next', async () => {
  await show(null, 'bare')
  await userEvent.click(star('1 star'))
  const question = await screen.findByRole('group', { name: 'Confirm 1 star rating:' })
  const buttons = within(question).getAllByRole('button')
  expect(buttons.map((button) => button.textContent)).toEqual(['Confirm', 'Cancel'])
})
