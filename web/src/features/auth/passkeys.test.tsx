import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi, type Mock, type MockInstance } from 'vitest'
import { queryClient } from '#/features/session/current'
import * as sitePath from '#/lib/site-path'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import AuthDialogs from './AuthDialogs'
import { closeDialogs, openLogin, openSignUp } from './dialogs'

withTestServer()

const INTENT = { post_authenticate_action: 'favourite', object_id: 9 } as const
const bytes = new Uint8Array([1, 2, 3]).buffer

/** jsdom does not support passkeys. */
let credentials: { get: Mock; create: Mock }
let loadPage: MockInstance<typeof sitePath.loadPage>
let begun: unknown[]
let ended: unknown[]

beforeEach(() => {
  loadPage = vi.spyOn(sitePath, 'loadPage').mockImplementation(() => {})
  const common = {
    id: 'AQID',
    rawId: bytes,
    type: 'public-key',
    getClientExtensionResults: () => ({}),
  }
  credentials = {
    get: vi.fn(async () => ({
      ...common,
      response: {
        authenticatorData: bytes,
        clientDataJSON: bytes,
        signature: bytes,
        userHandle: bytes,
      },
    })),
    create: vi.fn(async () => ({
      ...common,
      response: { attestationObject: bytes, clientDataJSON: bytes },
    })),
  }
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, {
      isConditionalMediationAvailable: async () => false,
      isUserVerifyingPlatformAuthenticatorAvailable: async () => true,
    }),
  )
  Object.defineProperty(navigator, 'credentials', { value: credentials, configurable: true })
  begun = []
  ended = []
  server.use(
    http.post('/api/v2/profiles/passkeys/options/', async ({ request }) => {
      const body = await request.json()
      begun.push(body)
      const publicKey =
        body.for === 'sign-in'
          ? { challenge: 'AQID', allowCredentials: [] }
          : { challenge: 'AQID', user: { id: 'AQID', name: '', displayName: '' } }
      return HttpResponse.json({ options: { publicKey } as never, ceremony: 'a-ceremony' })
    }),
    http.post('/api/v2/profiles/passkeys/', async ({ request }) => {
      ended.push(await request.json())
      return HttpResponse.json({ id: 7, redirect_url: '/places/' })
    }),
  )
})

afterEach(() => {
  closeDialogs()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'credentials')
})

function show(passkeys = true): void {
  renderApp(<AuthDialogs />, { client: queryClient, site: { passkeys } })
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

it('shows no controls if the site does not support passkeys', async () => {
  show(false)
  openLogin()
  await screen.findByRole('dialog')
  expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull()
  expect(screen.queryByText('Or log in with email')).toBeNull()
})

it('shows no controls if the browser does not support passkeys', async () => {
  vi.unstubAllGlobals()
  show()
  openSignUp()
  await screen.findByRole('dialog')
  expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull()
})

it('logs in with a passkey, and carries out the intent', async () => {
  show()
  openLogin(INTENT)
  expect(await screen.findByRole('heading', { name: 'Or log in with email' })).toBeVisible()
  await press('Log in with a passkey')
  expect(await screen.findByText('Login successful.')).toBeVisible()
  await waitFor(() => expect(loadPage).toHaveBeenCalledExactlyOnceWith('/places/'))
  expect(begun).toEqual([{ for: 'sign-in' }])
  expect(ended).toMatchObject([
    { for: 'sign-in', ceremony: 'a-ceremony', credential: { id: 'AQID' }, next: '/', ...INTENT },
  ])
})

it('reports that no passkey was used when the browser’s question is dismissed, and asks again', async () => {
  credentials.get.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
  show()
  openLogin()
  await press('Log in with a passkey')
  expect(await screen.findByRole('alert')).toHaveTextContent('* No passkey was used.')
  expect(ended).toEqual([])
  await press('Log in with a passkey')
  expect(await screen.findByText('Login successful.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
  await waitFor(() => expect(loadPage).toHaveBeenCalled())
})

it('accepts a passkey that the browser offers in the email field, without a click', async () => {
  Reflect.set(PublicKeyCredential, 'isConditionalMediationAvailable', async () => true)
  show()
  openLogin(INTENT)
  expect(await screen.findByText('Login successful.')).toBeVisible()
  expect(credentials.get).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ mediation: 'conditional' }),
  )
  expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username webauthn')
  expect(ended).toMatchObject([{ for: 'sign-in', ...INTENT }])
  await waitFor(() => expect(loadPage).toHaveBeenCalled())
})

it('stops asking for a passkey in the email field once the dialog is closed', async () => {
  Reflect.set(PublicKeyCredential, 'isConditionalMediationAvailable', async () => true)
  let signal: AbortSignal | undefined
  credentials.get.mockImplementation((options: CredentialRequestOptions) => {
    signal = options.signal
    return new Promise(() => {})
  })
  show()
  openLogin()
  await waitFor(() => expect(signal).toBeDefined())
  closeDialogs()
  await waitFor(() => expect(signal?.aborted).toBe(true))
})

it('signs up with a passkey and the name and email of the form', async () => {
  show()
  openLogin(INTENT)
  await press('Sign up')
  const dialog = await screen.findByRole('dialog', { name: 'Create your free account' })
  await userEvent.type(within(dialog).getByLabelText('Full name'), 'Ada King')
  await userEvent.type(within(dialog).getByLabelText('Email'), 'ada@example.com')
  await press('Sign up with a passkey')
  expect(await screen.findByText('Your account is ready.')).toBeVisible()
  await waitFor(() => expect(loadPage).toHaveBeenCalledExactlyOnceWith('/places/'))
  const newcomer = { full_name: 'Ada King', email: 'ada@example.com' }
  expect(begun).toContainEqual({ for: 'registration', ...newcomer })
  expect(ended).toMatchObject([{ for: 'registration', ...newcomer, ...INTENT }])
})

it('shows the server’s message at its field when no account can be created', async () => {
  server.use(
    http.post('/api/v2/profiles/passkeys/options/', ({ response }) =>
      response.untyped(
        HttpResponse.json(
          { code: 'invalid', full_name: ['This field may not be blank.'] },
          { status: 400 },
        ),
      ),
    ),
  )
  show()
  openSignUp()
  await press('Sign up with a passkey')
  expect(await screen.findByText('* This field may not be blank.')).toBeVisible()
  expect(credentials.create).not.toHaveBeenCalled()
})

it('offers a passkey after a sign-up with a password, and continues either way', async () => {
  server.use(
    http.post('/api/v2/profiles/email-registration/', () =>
      HttpResponse.json({ id: 7, redirect_url: '/places/' }),
    ),
  )
  show()
  openSignUp()
  await press('Sign up')
  const offer = await screen.findByRole('dialog', { name: 'Log in without a password?' })
  expect(loadPage).not.toHaveBeenCalled()
  credentials.create.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
  await press('Make a passkey')
  expect(await within(offer).findByRole('alert')).toHaveTextContent('No passkey was made.')
  await press('Make a passkey')
  await waitFor(() => expect(loadPage).toHaveBeenCalledExactlyOnceWith('/places/'))
  loadPage.mockClear()
  await press('Not now')
  expect(loadPage).toHaveBeenCalledExactlyOnceWith('/places/')
})
