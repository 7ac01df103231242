import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { EraseForm } from '#/features/account/EraseForm'
import { Facebook } from '#/features/account/FacebookControls'
import AuthDialogs from '#/features/auth/AuthDialogs'
import { closeDialogs, openLogin, switchDialog } from '#/features/auth/dialogs'
import { removeFacebookFromAddress } from '#/features/auth/facebook'
import { queryClient } from '#/features/session/current'
import * as sitePath from '#/lib/site-path'
import { AT } from '../../test/reader'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'
import { LoginPage } from './login'

withTestServer()

const site = { facebook: true }
const options = { client: queryClient, site }

/** Returns from Facebook to this address. */
function comeBack(address: string): void {
  window.history.replaceState(null, '', address)
  removeFacebookFromAddress()
}

function serveConnection(at: string | null): void {
  server.use(
    http.get('/api/v2/profiles/me/facebook/', ({ response }) =>
      response(200).json({ is_connected: at !== null, date_connected: at }),
    ),
  )
}

beforeEach(() => {
  vi.spyOn(sitePath, 'loadPage').mockImplementation(() => {})
  comeBack('/page/')
})

afterEach(() => {
  closeDialogs()
  queryClient.clear()
})

const way = (name: string) => screen.findByRole('link', { name })

it('carries the intent from each dialog to Facebook and back to the page', async () => {
  renderApp(<AuthDialogs />, options)
  const intent = { post_authenticate_action: 'rating', object_id: 9, rating: 4 } as const
  openLogin(intent, '/places/?a=b')
  const address =
    '/profiles/facebook-login?next=%2Fplaces%2F%3Fa%3Db&post_authenticate_action=rating&object_id=9&rating=4'
  expect(await way('Log in with Facebook')).toHaveAttribute('href', address)
  expect(screen.getByRole('heading', { name: 'Or log in with email' })).toBeVisible()
  switchDialog('signup')
  expect(await way('Sign up with Facebook')).toHaveAttribute('href', address)
})

it('offers no log-in with Facebook if the site does not support it', async () => {
  renderApp(<AuthDialogs />, { client: queryClient })
  openLogin()
  expect(await screen.findByLabelText('Password')).toBeVisible()
  expect(screen.queryByRole('link', { name: /Facebook/ })).not.toBeInTheDocument()
  expect(screen.queryByText('Or log in with email')).not.toBeInTheDocument()
})

it.each([
  ['address-taken', /already. Log in to it, then connect Facebook/],
  ['no-address', /Sign up with your email address instead/],
  ['disabled', /has been disabled/],
  ['failed', /Please try again/],
])('shows the reason on the log-in page if Facebook has not logged in: %s', async (why, text) => {
  comeBack(`/accounts/login?next=%2Fplaces%2F&facebook=${why}`)
  expect(window.location.search).toBe('?next=%2Fplaces%2F')
  renderApp(<LoginPage />, options)
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
})

it('ignores an unknown outcome', async () => {
  comeBack('/accounts/login?facebook=%3Cb%3Eyour%20bank')
  renderApp(<LoginPage />, options)
  expect(await screen.findByRole('button', { name: 'Log in' })).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

it('connects the account, and confirms it when the reader is back', async () => {
  serveConnection(null)
  window.history.replaceState(null, '', '/accounts/dashboard#/home/')
  renderApp(<Facebook />, options)
  const address = '/profiles/facebook-login?next=%2Faccounts%2Fdashboard%23%2Fhome%2F'
  expect(await way('Connect Facebook')).toHaveAttribute('href', address)
  comeBack('/accounts/dashboard?facebook=connected#/home/')
  expect(await screen.findByText('Facebook has confirmed that it is you.')).toBeVisible()
  expect(window.location.hash).toBe('#/home/')
})

it('disconnects the account, unless it is the only way to log in', async () => {
  serveConnection(AT)
  let isLast = true
  server.use(
    http.delete('/api/v2/profiles/me/facebook/', ({ response }) => {
      if (!isLast) return response(204).empty()
      const only = { code: 'invalid', non_field_errors: ['This is your only way to log in.'] }
      return response.untyped(HttpResponse.json(only, { status: 400 }))
    }),
  )
  renderApp(<Facebook />, options)
  await userEvent.click(await screen.findByRole('button', { name: 'Disconnect Facebook' }))
  const yes = (): HTMLElement =>
    screen.getAllByRole('button', { name: 'Disconnect Facebook' }).at(-1) as HTMLElement
  await userEvent.click(yes())
  expect(await screen.findByRole('alert')).toHaveTextContent('your only way to log in')
  isLast = false
  await userEvent.click(yes())
  expect(await way('Connect Facebook')).toBeVisible()
})

it('requires another confirmation after five minutes', async () => {
  const sent: unknown[] = []
  server.use(
    http.delete('/api/v2/profiles/me/', async ({ request, response }) => {
      sent.push(await request.json())
      const late = { code: 'invalid', current_password: ['This is not your current password.'] }
      return response.untyped(HttpResponse.json(late, { status: 400 }))
    }),
  )
  renderApp(<EraseForm hasPassword={false} hasPasskey={false} hasFacebook />, options)
  expect(await way('Confirm with Facebook')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Delete my account' })).not.toBeInTheDocument()
  comeBack('/accounts/dashboard?facebook=connected')
  await userEvent.click(await screen.findByRole('button', { name: 'Delete my account' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('holds for five minutes')
  expect(await way('Confirm with Facebook')).toBeVisible()
  expect(sent).toEqual([{ current_password: '' }])
})

it('deletes it immediately within the five minutes', async () => {
  server.use(http.delete('/api/v2/profiles/me/', ({ response }) => response(204).empty()))
  comeBack('/accounts/dashboard?facebook=connected')
  renderApp(<EraseForm hasPassword hasPasskey={false} hasFacebook />, options)
  const buttons = await screen.findAllByRole('button', { name: 'Delete my account' })
  await userEvent.click(buttons.at(-1) as HTMLElement)
  await waitFor(() =>
    expect(sitePath.loadPage).toHaveBeenCalledExactlyOnceWith('/profiles/logout?erased=1'),
  )
})
