import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import type { LoginBody, Site } from '#/api/types'
import AuthDialogs from '#/features/auth/AuthDialogs'
import { authDialogs, closeDialogs } from '#/features/auth/dialogs'
import { NewsletterSettings } from '#/features/newsletters/NewsletterSettings'
import { ReportPhoto } from '#/features/photos/ReportPhoto'
import { UploadPhotos } from '#/features/photos/UploadPhotos'
import { DoneButton } from '#/features/saved/DoneButton'
import { SAVED_KINDS, SAVED_NAMES, type SavedName } from '#/features/saved/kinds'
import { savedMap } from '#/features/saved/saved'
import { SaveButton } from '#/features/saved/SaveButton'
import { queryClient, session, onStreamRefused } from '#/features/session/current'
import { siteOptions } from '#/features/site/site'
import * as sitePath from '#/lib/site-path'
import { NO_COUNTS } from '../../test/counts'
import { FakeRequest, requestAt, withFakeRequests } from '../../test/fake-request'
import { NEWSLETTERS } from '../../test/newsletters'
import { ownPhotoOf, PLACE } from '../../test/photos'
import { AT, ROBIN } from '../../test/reader'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'

withTestServer()
withFakeRequests()

/** The reader whom the cookie identifies; null after the session has ended. */
let known: number | null = 7
let logins: LoginBody[] = []
let loadPage: MockInstance<typeof sitePath.loadPage>

const REFUSAL = { code: 'not_authenticated', detail: 'Log in.' }
const refuse = () => HttpResponse.json(REFUSAL, { status: 401 })
/** An answer for a logged-in reader, and a refusal for others. */
const answer = (body: object | null, status = 200) =>
  known === null
    ? refuse()
    : new HttpResponse(body && JSON.stringify(body), {
        status,
        headers: { 'Content-Type': 'application/json', 'X-Server-Time': AT },
      })

beforeEach(async () => {
  known = 7
  logins = []
  loadPage = vi.spyOn(sitePath, 'loadPage').mockImplementation(() => {})
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response.untyped(HttpResponse.json({ id: known, server_time: AT })),
    ),
    http.get('/api/v2/profiles/me/', ({ response }) => response.untyped(answer(ROBIN))),
    http.get('/api/v2/profiles/me/dashboard/', ({ response }) =>
      response.untyped(answer(NO_COUNTS)),
    ),
    http.post('/api/v2/profiles/email-login/', async ({ request, response }) => {
      logins.push(await request.json())
      known = 7
      return response(200).json({ id: 7, redirect_url: '/page/' })
    }),
  )
  document.cookie = 'signed_in=1'
  await session.start()
})

afterEach(() => {
  act(() => {
    closeDialogs()
    session.end()
  })
  queryClient.clear()
})

const show = (page: React.ReactNode) =>
  renderApp(
    <>
      {page}
      <AuthDialogs />
    </>,
    { client: queryClient, site: { newsletters: NEWSLETTERS } },
  )
const login = () => screen.findByRole('dialog', { name: 'Sign up or Log in' })

async function logIn(): Promise<void> {
  const dialog = within(await login())
  expect(dialog.getByText('You were logged out. Log in again to continue.')).toBeVisible()
  await userEvent.type(dialog.getByLabelText('Email'), 'robin@example.com')
  await userEvent.type(dialog.getByLabelText('Password'), 'tracks and wire')
  await userEvent.click(dialog.getByRole('button', { name: 'Log in to your account' }))
}

/** Logs in as the same reader, and checks that the page continues unchanged. */
async function comeBack(): Promise<void> {
  await logIn()
  await waitFor(() =>
    expect(screen.queryByRole('dialog', { name: 'Sign up or Log in' })).toBeNull(),
  )
  expect(session.state.get()).toEqual({ status: 'member', id: 7 })
  expect(loadPage).not.toHaveBeenCalled()
}

async function store(kind: SavedName, map: object): Promise<void> {
  window.localStorage.setItem(SAVED_KINDS[kind].storageKey, JSON.stringify({ updated: AT, map }))
  savedMap(kind).load()
}

describe('a save that is refused because the session has ended elsewhere', () => {
  const call = (kind: SavedName) => SAVED_KINDS[kind].path as '/api/v2/favourites/'

  it.each(SAVED_NAMES)('opens the log-in dialog with the intent: %s', async (kind) => {
    known = null
    server.use(http.post(call(kind), ({ response }) => response.untyped(refuse()) as never))
    show(null)
    const value = kind === 'rating' ? 4 : SAVED_KINDS[kind].initial
    act(() => savedMap(kind).put(9, value))
    await logIn()
    const intent = { post_authenticate_action: kind, object_id: 9 }
    // The server carries out the save with the sign-in, so the page is reloaded as after a guest's click.
    await waitFor(() => expect(loadPage).toHaveBeenCalledExactlyOnceWith('/page/'))
    expect(logins).toMatchObject([kind === 'rating' ? { ...intent, rating: 4 } : intent])
    expect(savedMap(kind).isOn(9)).toBe(false)
  })

  it('opens it too if the question about the calendar is refused', async () => {
    known = null
    show(<SaveButton kind="event-bookmark" objectId={9} name="Lantern Walk" />)
    const site = { sections: {}, has_calendars: true } as Site
    queryClient.setQueryData(siteOptions().queryKey, site)
    await userEvent.click(await screen.findByRole('button', { name: 'Save Lantern Walk' }))
    await login()
    expect(authDialogs.get().intent).toEqual({
      post_authenticate_action: 'event-bookmark',
      object_id: 9,
    })
  })

  it('makes a guest of a reader who closes the dialog', async () => {
    known = null
    server.use(
      http.post('/api/v2/favourites/', ({ response }) => response.untyped(refuse()) as never),
    )
    show(<SaveButton kind="favourite" objectId={9} name="Wren & Fennel" />)
    await userEvent.click(await screen.findByRole('button', { name: 'Favourite Wren & Fennel' }))
    await login()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(session.state.get()).toEqual({ status: 'guest' }))
    expect(screen.getByRole('button', { name: 'Favourite Wren & Fennel' })).toHaveAttribute(
      'aria-pressed',
      'false',
    )
  })
})

describe('other changes after the session has ended elsewhere', () => {
  it('removes a saved thing after the reader has logged in again', async () => {
    const removed: string[] = []
    server.use(
      http.delete('/api/v2/favourites/{id}/', ({ params, response }) => {
        if (known !== null) removed.push(params.id)
        return response.untyped(answer(null, known === null ? 401 : 204))
      }),
    )
    show(<SaveButton kind="favourite" objectId={9} name="Wren & Fennel" />)
    act(() => void store('favourite', { 9: 50 }))
    known = null
    await userEvent.click(await screen.findByRole('button', { name: 'Favourite Wren & Fennel' }))
    await comeBack()
    await waitFor(() => expect(removed).toEqual(['50']))
    expect(screen.getByRole('button', { name: 'Favourite Wren & Fennel' })).toHaveAttribute(
      'aria-pressed',
      'false',
    )
    expect(logins[0]).not.toHaveProperty('post_authenticate_action')
  })

  it('marks a to-do as done', async () => {
    const saved = { id: 50, listing_id: 9, is_done: true, server_time: AT, previous_update: null }
    server.use(
      http.patch('/api/v2/todos/{id}/', ({ response }) => response.untyped(answer(saved)) as never),
    )
    show(<DoneButton objectId={9} name="Wren & Fennel" wasDone={false} />)
    act(() => void store('todo', { 9: 50 }))
    known = null
    await userEvent.click(await screen.findByRole('button', { name: 'Done: Wren & Fennel' }))
    await comeBack()
    await waitFor(() => expect(savedMap('todo').value(9)).toBe(true))
  })

  it('turns a newsletter on', async () => {
    const settings = { ...ROBIN.newsletter_settings, foods: true }
    server.use(
      http.patch('/api/v2/profiles/me/', ({ response }) =>
        response.untyped(answer({ ...ROBIN, newsletter_settings: settings })),
      ),
    )
    show(<NewsletterSettings />)
    const dished = await screen.findByRole('switch', { name: 'Dished' })
    known = null
    await userEvent.click(dished)
    await login()
    expect(dished).not.toBeChecked()
    await comeBack()
    await waitFor(() => expect(dished).toBeChecked())
  })

  it('sends a photo again, with its description', async () => {
    URL.createObjectURL = () => 'blob:a.jpg'
    URL.revokeObjectURL = () => {}
    show(<UploadPhotos place={{ ...PLACE, is_closed: false }} />)
    const file = new File(['a'], 'a.jpg', { type: 'image/jpeg' })
    await userEvent.upload(await screen.findByLabelText('Choose photos'), file)
    await userEvent.type(screen.getByLabelText('Description'), 'The terrace')
    await userEvent.click(screen.getByRole('button', { name: 'Upload 1 photo' }))
    known = null
    await requestAt(0).answer(401, REFUSAL)
    await comeBack()
    await waitFor(() => expect(FakeRequest.all).toHaveLength(2))
    expect(requestAt(1).form.get('description')).toBe('The terrace')
    await requestAt(1).answer(201, ownPhotoOf(1, { status: 'waiting' }))
    expect(await screen.findByRole('heading', { name: 'Your photo is sent' })).toBeVisible()
  })

  it('keeps an unfinished report, also when the dialog is closed', async () => {
    const comments: unknown[] = []
    server.use(
      http.post('/api/v2/photos/{id}/report/', async ({ request, response }) => {
        if (known !== null) comments.push((await request.json()).comment)
        return response.untyped(answer(null, known === null ? 401 : 204))
      }),
    )
    show(<ReportPhoto id={3} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Report this photo' }))
    const comment = await screen.findByLabelText('Anything else?')
    await userEvent.type(comment, 'It is upside down.')
    known = null
    // The stream of changes ends with the session.
    act(() => onStreamRefused())
    await login()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(authDialogs.get().open).toBeNull())
    expect(comment).toHaveValue('It is upside down.')
    act(() => onStreamRefused())
    await userEvent.click(screen.getByRole('button', { name: 'Send the report' }))
    await comeBack()
    expect(comment).toHaveValue('It is upside down.')
    await userEvent.click(screen.getByRole('button', { name: 'Send the report' }))
    expect(await screen.findByText('Thank you. We’ll take a look.')).toBeVisible()
    expect(comments).toEqual(['It is upside down.'])
  })

  it('loads the page for another reader, and repeats nothing of the first', async () => {
    const removed = vi.fn()
    server.use(
      http.delete('/api/v2/favourites/{id}/', ({ response }) => {
        if (known !== null) removed()
        return response.untyped(answer(null, known === null ? 401 : 204))
      }),
      http.post('/api/v2/profiles/email-login/', ({ response }) =>
        response(200).json({ id: 8, redirect_url: '/page/' }),
      ),
    )
    show(<SaveButton kind="favourite" objectId={9} name="Wren & Fennel" />)
    act(() => void store('favourite', { 9: 50 }))
    known = null
    await userEvent.click(await screen.findByRole('button', { name: 'Favourite Wren & Fennel' }))
    await logIn()
    await waitFor(() => expect(loadPage).toHaveBeenCalledExactlyOnceWith('/page/'))
    expect(removed).not.toHaveBeenCalled()
  })
})
