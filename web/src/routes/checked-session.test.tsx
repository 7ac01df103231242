import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import SubscribeForm from '#/features/newsletters/SubscribeForm'
import { RatingControl } from '#/features/ratings/RatingControl'
import { SaveButton } from '#/features/saved/SaveButton'
import { authDialogs, closeDialogs } from '#/features/auth/dialogs'
import { queryClient, session } from '#/features/session/current'
import { Bar } from '#/features/site/Bar'
import { systemClock } from '#/lib/time'
import { deferred } from '../../test/deferred'
import { NEWSLETTERS } from '../../test/newsletters'
import { AT, ROBIN } from '../../test/reader'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'
import { NewslettersPage } from './newsletters'

withTestServer()

const GUESTS = { name: /^(Log in or sign up|Subscribe)$/ }

/** The pause before the status is requested again. */
let pause = deferred<undefined>()
let isAnswered = false

/** Shows the parts of the site that differ for guests, while a signed-in reader's status is requested again. */
beforeEach(async () => {
  pause = deferred()
  isAnswered = false
  vi.spyOn(systemClock, 'sleep').mockImplementation(() => pause.promise)
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      isAnswered
        ? response(200).json({ id: 7, server_time: AT })
        : response.untyped(new Response(null, { status: 503 })),
    ),
    http.get('/api/v2/profiles/me/', ({ response }) => response(200).json(ROBIN)),
  )
  document.cookie = 'signed_in=1'
  session.state.set({ status: 'checking' })
  void session.start()
  const site = { newsletters: NEWSLETTERS, navigation: [] }
  const page = (
    <>
      <Bar path="/newsletters/" />
      <NewslettersPage />
      {NEWSLETTERS[0] && <SubscribeForm newsletter={NEWSLETTERS[0]} />}
      <SaveButton kind="favourite" objectId={9} name="Wren & Fennel" />
      <RatingControl place={{ id: 9, name: 'Wren & Fennel' }} look="block" />
    </>
  )
  renderApp(page, { site, client: queryClient })
  await vi.waitFor(() => expect(systemClock.sleep).toHaveBeenCalled())
  await screen.findByRole('heading', { name: 'Newsletters' })
})

afterEach(() => {
  act(() => {
    session.end()
    closeDialogs()
  })
  queryClient.clear()
})

it('shows nothing for guests to a reader while the status is requested again', async () => {
  expect(screen.getByRole('button', { name: 'Your account' })).toBeVisible()
  expect(screen.getByRole('group', { name: 'Loading your newsletters' })).toBeVisible()
  expect(screen.queryAllByRole('button', GUESTS)).toEqual([])
  isAnswered = true
  await act(async () => pause.resolve(undefined))
  expect(await screen.findByRole('switch', { name: 'Top Stories' })).toBeVisible()
})

it('shows the effect of a click immediately, and asks a guest to log in afterwards', async () => {
  const heart = screen.getByRole('button', { name: 'Favourite Wren & Fennel' })
  await userEvent.click(heart)
  expect(heart).toHaveAttribute('aria-busy')
  await userEvent.click(screen.getByRole('radio', { name: '4 stars' }))
  expect(screen.getByText('Confirm 4 star rating:')).toBeVisible()
  expect(authDialogs.get().open).toBeNull()
  await act(async () => pause.resolve(undefined))
  await vi.waitFor(() => expect(authDialogs.get().open).toBe('login'))
  expect(heart).not.toHaveAttribute('aria-busy')
  expect(screen.queryByText('Confirm 4 star rating:')).toBeNull()
})

it('shows the reader as a guest after the last failure', async () => {
  await act(async () => pause.resolve(undefined))
  expect(await screen.findByRole('button', { name: 'Log in or sign up' })).toBeVisible()
  expect(screen.getByRole('textbox', { name: 'Send them to' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Your account' })).toBeNull()
})
