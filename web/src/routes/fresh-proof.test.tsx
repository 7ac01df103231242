import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi, type MockInstance } from 'vitest'
import { EmailForm } from '#/features/account/EmailForm'
import AuthDialogs from '#/features/auth/AuthDialogs'
import { authDialogs, closeDialogs } from '#/features/auth/dialogs'
import { removeFacebookFromAddress } from '#/features/auth/facebook'
import { queryClient, session } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import * as sitePath from '#/lib/site-path'
import { AT, ROBIN } from '../../test/reader'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'

withTestServer()

const REFUSAL = { code: 'fresh_proof_required', detail: 'Log in again first.' }
let isProven: boolean
let changes: unknown[]
let loadPage: MockInstance<typeof sitePath.loadPage>

beforeEach(async () => {
  isProven = false
  changes = []
  loadPage = vi.spyOn(sitePath, 'loadPage').mockImplementation(() => {})
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response.untyped(HttpResponse.json({ id: 7, server_time: AT })),
    ),
    http.patch('/api/v2/profiles/me/', async ({ request, response }) => {
      if (!isProven) return response.untyped(HttpResponse.json(REFUSAL, { status: 403 }))
      changes.push(await request.json())
      return response.untyped(HttpResponse.json({ ...ROBIN, pending_email: 'new@example.com' }))
    }),
    http.post('/api/v2/profiles/email-login/', ({ response }) => {
      isProven = true
      return response(200).json({ id: 7, redirect_url: '/page/' })
    }),
  )
  document.cookie = 'signed_in=1'
  await session.start()
  queryClient.setQueryData(meOptions().queryKey, ROBIN)
})

afterEach(() => {
  act(() => {
    closeDialogs()
    session.end()
  })
  queryClient.clear()
})

const login = () => screen.findByRole('dialog', { name: 'Log in again' })

/** Submits a new email address. */
async function change(onDone: () => void) {
  renderApp(
    <>
      <EmailForm onDone={onDone} />
      <AuthDialogs />
    </>,
    { client: queryClient },
  )
  await userEvent.type(await screen.findByLabelText('New email'), 'new@example.com')
  await userEvent.click(screen.getByRole('button', { name: 'Send a link to it' }))
  return within(await login())
}

it('repeats a refused change once the reader has logged in again', async () => {
  const onDone = vi.fn()
  const dialog = await change(onDone)
  expect(dialog.getByText(/this changes how your account is accessed/)).toBeVisible()
  expect(dialog.getByLabelText('Email')).toHaveValue(ROBIN.email)
  await userEvent.type(dialog.getByLabelText('Password'), 'tracks and wire')
  await userEvent.click(dialog.getByRole('button', { name: 'Log in to your account' }))
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(changes).toEqual([{ email: 'new@example.com' }])
  expect(authDialogs.get().open).toBeNull()
  expect(loadPage).not.toHaveBeenCalled()
})

it('changes nothing, and says why, if the reader closes the dialog', async () => {
  const onDone = vi.fn()
  await change(onDone)
  await userEvent.keyboard('{Escape}')
  expect(await screen.findByText(/Log in again first/)).toBeVisible()
  expect(changes).toEqual([])
  expect(onDone).not.toHaveBeenCalled()
  expect(session.state.get()).toEqual({ status: 'member', id: 7 })
})

it('keeps the words of the dialog while it fades out', async () => {
  await change(vi.fn())
  const fading = { finished: new Promise(() => {}), pending: false, playState: 'running' }
  Element.prototype.getAnimations = () => [fading as unknown as Animation]
  act(() => closeDialogs())
  expect(authDialogs.get().open).toBeNull()
  expect(await login()).toHaveTextContent('this changes how your account is accessed')
  expect(screen.queryByText('Sign up or Log in')).toBeNull()
  Reflect.deleteProperty(Element.prototype, 'getAnimations')
})

it('asks for the log-in after a refused connection with Facebook', async () => {
  window.history.replaceState(null, '', '/accounts/dashboard?facebook=unproven')
  removeFacebookFromAddress()
  expect(authDialogs.get()).toMatchObject({ open: 'login', relogin: { reason: 'proof' } })
  expect(window.location.search).toBe('')
})
