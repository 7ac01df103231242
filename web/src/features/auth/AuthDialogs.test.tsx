import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import type { LoginBody, RegistrationBody, ResetBody } from '#/api/types'
import { queryClient } from '#/features/session/current'
import * as sitePath from '#/lib/site-path'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import AuthDialogs from './AuthDialogs'
import { closeDialogs, openLogin, openReset, openSignUp } from './dialogs'
import * as passkeys from './passkeys'

withTestServer()

let loadPage: MockInstance<typeof sitePath.loadPage>

beforeEach(() => {
  loadPage = vi.spyOn(sitePath, 'loadPage').mockImplementation(() => {})
  renderApp(<AuthDialogs />, { client: queryClient })
})

afterEach(() => closeDialogs())

function answerLogin(answer: (body: LoginBody) => Response): LoginBody[] {
  const bodies: LoginBody[] = []
  server.use(
    http.post('/api/v2/profiles/email-login/', async ({ request }) => {
      const body = await request.json()
      bodies.push(body)
      return answer(body)
    }),
  )
  return bodies
}

const refused = () =>
  HttpResponse.json(
    {
      code: 'invalid',
      email: ['This field may not be blank.', 'Another.'],
      password: ['This field may not be blank.'],
      non_field_errors: ['Unable to log in.'],
    },
    { status: 400 },
  )
const accepted = () => HttpResponse.json({ id: 7, redirect_url: '/places/' })

async function submitLogin(): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: 'Log in to your account' }))
}

describe('the login dialog', () => {
  it('has the specified texts, and links to the terms', async () => {
    openLogin()
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign up or Log in' }))
    expect(dialog.getByRole('heading', { name: 'Sign up or Log in' })).toBeVisible()
    for (const name of ['Log in to your account', 'Forgot password?', 'Sign up']) {
      expect(dialog.getByRole('button', { name })).toBeVisible()
    }
    for (const [name, path] of [
      ['privacy policy', '/privacy/'],
      ['terms of service', '/termsofservice/'],
    ] as const) {
      expect(dialog.getByRole('link', { name })).toHaveAttribute('href', path)
    }
  })

  it('sends an empty form too, and prefixes each field’s first message with a star', async () => {
    const bodies = answerLogin(refused)
    openLogin()
    const dialog = await screen.findByRole('dialog', { name: 'Sign up or Log in' })
    for (const input of within(dialog).getAllByRole('textbox')) expect(input).not.toBeRequired()
    await submitLogin()
    expect(await within(dialog).findAllByText('* This field may not be blank.')).toHaveLength(2)
    expect(within(dialog).getByText('* Unable to log in.')).toBeVisible()
    expect(within(dialog).queryByText(/Another/)).toBeNull()
    expect(bodies).toMatchObject([{ email: '', password: '' }])
  })

  it.each([
    [
      'as the server puts it',
      { code: 'rate_limited', detail: 'Too many tries. Please try again in 3 minutes.' },
      '* Too many tries. Please try again in 3 minutes.',
    ],
    [
      'in its own words where the server has none',
      {},
      '* Too many tries. Please wait a little and try again.',
    ],
  ])('says when to retry after too many tries, %s', async (_, body, expected) => {
    const bodies = answerLogin(() => HttpResponse.json(body, { status: 429 }))
    openLogin()
    await screen.findByRole('dialog')
    await submitLogin()
    expect(await screen.findByRole('alert')).toHaveTextContent(expected)
    await submitLogin()
    await waitFor(() => expect(bodies).toHaveLength(2))
  })

  it('clears its errors when it is closed', async () => {
    answerLogin(refused)
    openLogin()
    await screen.findByRole('dialog')
    await submitLogin()
    await screen.findByText('* Unable to log in.')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    openLogin()
    await screen.findByRole('dialog')
    expect(screen.queryByText(/^\*/)).toBeNull()
  })

  it('confirms the log-in before it loads the address that the server names', async () => {
    const bodies = answerLogin(accepted)
    openLogin({ post_authenticate_action: 'favourite', object_id: 9 })
    await userEvent.type(await screen.findByLabelText('Email'), 'a@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'streetcar501')
    await submitLogin()
    expect(await screen.findByText('Login successful.')).toBeVisible()
    expect(loadPage).not.toHaveBeenCalled()
    await waitFor(() => expect(loadPage).toHaveBeenCalledExactlyOnceWith('/places/'))
    expect(bodies).toEqual([
      {
        email: 'a@example.com',
        password: 'streetcar501',
        next: '/',
        post_authenticate_action: 'favourite',
        object_id: 9,
      },
    ])
  })

  it('shows one spinner', async () => {
    cleanup()
    vi.spyOn(passkeys, 'usePasskeys').mockReturnValue(true)
    vi.spyOn(passkeys, 'requestPasskey').mockReturnValue(new Promise(() => {}))
    renderApp(<AuthDialogs />, { client: queryClient })
    openLogin()
    const byPasskey = await screen.findByRole('button', { name: 'Log in with a passkey' })
    const byEmail = screen.getByRole('button', { name: 'Log in to your account' })
    await userEvent.click(byPasskey)
    expect(byPasskey).toHaveAttribute('aria-busy')
    expect(byEmail).not.toHaveAttribute('aria-busy')
    expect(byEmail).toHaveAttribute('aria-disabled')
  })

  it('never redirects to another site', async () => {
    answerLogin(() => HttpResponse.json({ id: 7, redirect_url: '//elsewhere.example/' }))
    openLogin()
    await screen.findByRole('dialog')
    await submitLogin()
    await waitFor(() => expect(loadPage).toHaveBeenCalledExactlyOnceWith('/'))
  })

  it('submits once on Enter, and not with Shift or during composition', async () => {
    const bodies = answerLogin(accepted)
    openLogin()
    const email = await screen.findByLabelText('Email')
    await userEvent.type(email, 'a@example.com{Shift>}{Enter}{/Shift}')
    expect(fireEvent.keyDown(email, { key: 'Enter', isComposing: true })).toBe(false)
    expect(bodies).toHaveLength(0)
    await userEvent.type(email, '{Enter}')
    await screen.findByText('Login successful.')
    await waitFor(() => expect(loadPage).toHaveBeenCalledOnce())
    expect(bodies).toHaveLength(1)
  })

  it('marks an invalid address without a message, until the reader types again', async () => {
    openLogin()
    const email = await screen.findByLabelText('Email')
    expect(email).toHaveAttribute('maxlength', '255')
    await userEvent.type(email, 'nobody')
    await userEvent.tab()
    expect(email).toHaveAttribute('aria-invalid', 'true')
    expect(screen.queryByRole('alert')).toBeNull()
    await userEvent.type(email, '@')
    expect(email).not.toHaveAttribute('aria-invalid')
  })

  it('switches to sign-up, which keeps the guest’s intent', async () => {
    const bodies: RegistrationBody[] = []
    server.use(
      http.post('/api/v2/profiles/email-registration/', async ({ request, response }) => {
        bodies.push(await request.json())
        return response(201).json({ id: 8, redirect_url: '/' })
      }),
    )
    openLogin({ post_authenticate_action: 'favourite', object_id: 9 })
    await userEvent.click(await screen.findByRole('button', { name: 'Sign up' }))
    const dialog = await screen.findByRole('dialog', { name: 'Create your free account' })
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Sign up' }))
    await waitFor(() => expect(loadPage).toHaveBeenCalledOnce())
    expect(bodies).toMatchObject([{ post_authenticate_action: 'favourite', object_id: 9 }])
  })
})

describe('the sign-up dialog', () => {
  async function fill(label: string, text: string): Promise<void> {
    await userEvent.type(await screen.findByLabelText(label), text)
  }

  it('sends nothing while the passwords differ, and shows the specified message', async () => {
    const bodies: RegistrationBody[] = []
    server.use(
      http.post('/api/v2/profiles/email-registration/', async ({ request, response }) => {
        bodies.push(await request.json())
        return response(201).json({ id: 8, redirect_url: '/' })
      }),
    )
    openSignUp()
    await fill('Password', 'one')
    await fill('Repeat the password', 'two')
    expect(screen.getByRole('dialog', { name: 'Create your free account' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
    expect(screen.getByText("* The two passwords fields didn't match.")).toBeVisible()
    // The form sends as soon as the passwords match; an earlier request would be the first of `bodies`.
    await userEvent.clear(screen.getByLabelText('Repeat the password'))
    await fill('Repeat the password', 'one')
    await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
    await waitFor(() => expect(loadPage).toHaveBeenCalledOnce())
    expect(bodies).toMatchObject([{ password: 'one', password_repeat: 'one' }])
  })

  it('says when to retry after too many tries', async () => {
    const detail = 'Too many tries. Please try again in 12 minutes.'
    server.use(
      http.post('/api/v2/profiles/email-registration/', ({ response }) =>
        response.untyped(HttpResponse.json({ code: 'rate_limited', detail }, { status: 429 })),
      ),
    )
    openSignUp()
    await userEvent.click(await screen.findByRole('button', { name: 'Sign up' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(`* ${detail}`)
  })

  it('shows the first message of each field under it', async () => {
    server.use(
      http.post('/api/v2/profiles/email-registration/', ({ response }) =>
        response.untyped(
          HttpResponse.json(
            { code: 'invalid', email: ['Taken.', 'Other.'], password: ['Short.'] },
            { status: 400 },
          ),
        ),
      ),
    )
    openSignUp()
    await fill('Email', 'a@example.com')
    await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
    await waitFor(() =>
      expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('* Taken.'),
    )
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('* Short.')
  })
})

describe('the reset dialog', () => {
  function answerReset(answer: () => Response): ResetBody[] {
    const bodies: ResetBody[] = []
    server.use(
      http.post('/api/v2/profiles/reset-password/', async ({ request, response }) => {
        bodies.push(await request.json())
        return response.untyped(answer())
      }),
    )
    return bodies
  }

  const refusedReset = () =>
    HttpResponse.json(
      { code: 'invalid', email: ['This field may not be blank.', 'Another.'] },
      { status: 400 },
    )
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

  it('takes the place of the login dialog, and begins in its field', async () => {
    openLogin()
    await screen.findByRole('dialog', { name: 'Sign up or Log in' })
    await waitFor(() => expect(screen.getByLabelText('Email')).toHaveFocus())
    await press('Forgot password?')
    await screen.findByRole('dialog', { name: 'Reset your password' })
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    await waitFor(() => expect(screen.getByLabelText('Email used for account')).toHaveFocus())
  })

  it('sends the address, and does not reveal whether it is known', async () => {
    const bodies = answerReset(() => HttpResponse.json({ email: 'ada@example.com' }))
    openReset()
    await userEvent.type(
      await screen.findByLabelText('Email used for account'),
      'ada@example.com{Enter}',
    )
    const text =
      'If an account has this address, we have just sent it a link. It works for one hour.'
    expect(await screen.findByText(text)).toBeVisible()
    expect(bodies).toEqual([{ email: 'ada@example.com' }])
  })

  it('shows the first message about the address with a star, and forgets it when it is closed', async () => {
    answerReset(refusedReset)
    openReset()
    await screen.findByRole('dialog')
    await press('Send me a link')
    await waitFor(() =>
      expect(screen.getByLabelText('Email used for account')).toHaveAccessibleDescription(
        '* This field may not be blank.',
      ),
    )
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    openReset()
    await screen.findByRole('dialog')
    expect(screen.queryByText(/^\*/)).toBeNull()
  })

  it('keeps the guest’s intent through sign-up and forgotten password to the login', async () => {
    const bodies = answerLogin(accepted)
    openLogin({ post_authenticate_action: 'rating', object_id: 9, rating: 4 })
    await screen.findByRole('dialog', { name: 'Sign up or Log in' })
    for (const [name, title] of [
      ['Sign up', 'Create your free account'],
      ['Log in', 'Sign up or Log in'],
      ['Forgot password?', 'Reset your password'],
      ['Log in', 'Sign up or Log in'],
    ] as const) {
      await press(name)
      await screen.findByRole('dialog', { name: title })
      await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    }
    await submitLogin()
    await waitFor(() => expect(loadPage).toHaveBeenCalledOnce())
    expect(bodies).toMatchObject([{ post_authenticate_action: 'rating', object_id: 9, rating: 4 }])
  })
})
