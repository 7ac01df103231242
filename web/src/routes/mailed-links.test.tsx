import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import AuthDialogs from '#/features/auth/AuthDialogs'
import { authDialogs, closeDialogs } from '#/features/auth/dialogs'
import { queryClient, session } from '#/features/session/current'
import { ALL_ACCESS, AT, PASSWORD_ACCESS } from '../../test/reader'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'
import { ConfirmEmailPage } from './confirm-email'
import { ResetPasswordPage } from './reset-password'

withTestServer()

let sent: unknown[] = []
let answer: () => Response
let isValid = true

const confirmed = {
  email: 'ada@example.com',
  is_confirmed: true,
  access: PASSWORD_ACCESS,
  password_token: null,
}
const accepted = () => HttpResponse.json(confirmed)
const refused = (errors: Record<string, string[]>) => () =>
  HttpResponse.json({ code: 'invalid', ...errors }, { status: 400 })

beforeEach(() => {
  sent = []
  answer = accepted
  isValid = true
  const respond = async ({ request }: { request: Request }): Promise<Response> => {
    sent.push(await request.json())
    return answer()
  }
  server.use(
    http.post('/api/v2/profiles/reset-password/check/', ({ response }) =>
      response(200).json({ is_valid: isValid }),
    ),
    http.post('/api/v2/profiles/reset-password/confirm/', respond),
    http.post('/api/v2/profiles/confirm-email/', respond),
  )
})

afterEach(() => {
  act(() => {
    closeDialogs()
    session.end()
  })
  queryClient.clear()
})

const RESET = '/accounts/reset-password'
const CONFIRM = '/accounts/confirm-email'

function visit(at: string) {
  const page = at.startsWith(RESET) ? <ResetPasswordPage /> : <ConfirmEmailPage />
  return renderApp(
    <>
      {page}
      <AuthDialogs />
    </>,
    { at, client: queryClient },
  )
}

async function choose(password: string, repeat = password): Promise<void> {
  await userEvent.type(await screen.findByLabelText('New password'), password)
  await userEvent.type(screen.getByLabelText('Repeat the new password'), repeat)
  await save()
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save the new password' }))
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

describe('the link to a new password', () => {
  it('removes its token from the address, and still sends it', async () => {
    const { router } = visit(`${RESET}#one-token`)
    await heading('Choose a new password')
    expect(screen.getByLabelText('New password')).toHaveFocus()
    await waitFor(() => expect(router.history.location.href).toBe(RESET))
    await choose('tracks and wire')
    await heading('Your password is changed')
    expect(screen.getByText('ada@example.com')).toBeVisible()
    expect(sent).toEqual([{ token: 'one-token', new_password: 'tracks and wire' }])
  })

  it('shows what else still gives access to the account', async () => {
    answer = () => HttpResponse.json({ email: 'ada@example.com', access: ALL_ACCESS })
    visit(`${RESET}#one-token`)
    await choose('tracks and wire')
    await heading('Your password is changed')
    expect(screen.getByText('A Facebook account')).toBeVisible()
    expect(screen.queryByText('A password')).toBeNull()
  })

  it('ends the local session with the account’s sessions, and offers a log-in', async () => {
    let id: number | null = 7
    server.use(
      http.get('/api/v2/profiles/status/', ({ response }) =>
        response(200).json({ id, server_time: AT }),
      ),
    )
    document.cookie = 'signed_in=1'
    await session.start()
    visit(`${RESET}#one-token`)
    await screen.findByLabelText('New password')
    expect(session.state.get().status).toBe('member')
    id = null
    await choose('tracks and wire')
    await heading('Your password is changed')
    await waitFor(() => expect(session.state.get().status).toBe('guest'))
    await userEvent.click(screen.getByRole('button', { name: 'Log in' }))
    expect(authDialogs.get()).toMatchObject({ open: 'login', next: '/accounts/dashboard#/home/' })
  })

  it('sends nothing while the passwords differ', async () => {
    visit(`${RESET}#one-token`)
    await choose('one', 'two')
    expect(screen.getByText("* The two passwords fields didn't match.")).toBeVisible()
    await userEvent.clear(screen.getByLabelText('Repeat the new password'))
    await userEvent.type(screen.getByLabelText('Repeat the new password'), 'one')
    await save()
    await heading('Your password is changed')
    expect(sent).toHaveLength(1)
  })

  it('shows why a password is refused, and sends the next with the same token', async () => {
    answer = refused({ new_password: ['This password is too common.', 'Another.'] })
    visit(`${RESET}#one-token`)
    await choose('password')
    await waitFor(() =>
      expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(
        '* This password is too common.',
      ),
    )
    answer = accepted
    await save()
    await heading('Your password is changed')
    expect(sent).toHaveLength(2)
    expect(sent[1]).toMatchObject({ token: 'one-token' })
  })

  it('that has expired or was used says so before the form is filled in', async () => {
    isValid = false
    visit(`${RESET}#old-token`)
    await heading('This link does not work any more')
    expect(screen.queryByLabelText('New password')).toBeNull()
    expect(sent).toEqual([])
  })

  it('that has expired or was used offers a new one, and another link in the tab replaces it', async () => {
    answer = refused({ token: ['This link has expired.'] })
    const { router } = visit(`${RESET}#old-token`)
    await choose('tracks and wire')
    await heading('This link does not work any more')
    await userEvent.click(screen.getByRole('button', { name: 'Send me another link' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reset your password' })
    expect(within(dialog).getByLabelText('Email used for account')).toBeVisible()
    act(() => closeDialogs())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    answer = accepted
    act(() => router.history.push(`${RESET}#new-token`))
    await choose('tracks and wire')
    await heading('Your password is changed')
    expect(sent.at(-1)).toMatchObject({ token: 'new-token' })
  })

  describe('that undoes a change of the address', () => {
    it('says that it restores the address', async () => {
      visit(`${RESET}?undo#one-token`)
      await heading('Restore your email address')
      await userEvent.type(screen.getByLabelText('New password'), 'tracks and wire')
      await userEvent.type(screen.getByLabelText('Repeat the new password'), 'tracks and wire')
      await userEvent.click(screen.getByRole('button', { name: 'Restore the address' }))
      await heading('Your email address is restored')
      expect(sent).toEqual([{ token: 'one-token', new_password: 'tracks and wire' }])
    })

    it('has its own time, and is not sent again', async () => {
      answer = refused({ token: ['This link has expired.'] })
      visit(`${RESET}?undo#old-token`)
      await userEvent.type(await screen.findByLabelText('New password'), 'a')
      await userEvent.type(screen.getByLabelText('Repeat the new password'), 'a{Enter}')
      await heading('This link does not work any more')
      expect(screen.getByText(/seven days/)).toBeVisible()
      expect(screen.queryByRole('button', { name: 'Send me another link' })).toBeNull()
    })
  })

  it('without a token, as in older mails, offers one', async () => {
    visit(RESET)
    await heading('Set a new password')
    await userEvent.click(screen.getByRole('button', { name: 'Send me a link' }))
    expect(authDialogs.get().open).toBe('reset')
  })
})

describe('the link that confirms an address', () => {
  const confirm = async () =>
    userEvent.click(await screen.findByRole('button', { name: 'Confirm my email address' }))

  it('does nothing until the button is pressed', async () => {
    const { router } = visit(`${CONFIRM}#one-token`)
    await heading('Confirm your email address')
    await waitFor(() => expect(router.history.location.href).toBe(CONFIRM))
    expect(sent).toEqual([])
    await confirm()
    await heading('Your email address is confirmed')
    expect(screen.getByText('ada@example.com')).toBeVisible()
    expect(sent).toEqual([{ token: 'one-token', access: null }])
  })

  describe('opened in a browser that is not signed in to the account', () => {
    beforeEach(async () => {
      answer = () => HttpResponse.json({ ...confirmed, is_confirmed: false, access: ALL_ACCESS })
      visit(`${CONFIRM}#one-token`)
      await confirm()
      await heading('Did you create this account?')
    })

    it('shows what gives access to the account, and keeps it', async () => {
      const shown = screen.getAllByRole('listitem').map((item) => item.textContent)
      expect(shown).toEqual([
        'A password',
        expect.stringMatching(/^A passkey on Safari on iPhone, created on /),
        expect.stringMatching(/^A passkey on Firefox on Linux, created on /),
        'A Facebook account',
        'A Google calendar, to which saved events are added',
        'A private address for a calendar of saved events',
      ])
      answer = accepted
      await userEvent.click(screen.getByRole('button', { name: 'Yes, they are all mine' }))
      await heading('Your email address is confirmed')
      expect(sent.at(-1)).toEqual({ token: 'one-token', access: 'keep' })
    })

    it('removes it, and asks for a new password', async () => {
      answer = () => HttpResponse.json({ ...confirmed, password_token: 'another-token' })
      await userEvent.click(screen.getByRole('button', { name: 'No, remove them' }))
      expect(sent.at(-1)).toEqual({ token: 'one-token', access: 'end' })
      answer = accepted
      await choose('tracks and wire')
      await heading('Your password is changed')
      expect(sent.at(-1)).toEqual({ token: 'another-token', new_password: 'tracks and wire' })
    })

    it('can choose again after a failure', async () => {
      answer = () => HttpResponse.json({ code: 'unavailable', detail: 'No.' }, { status: 503 })
      await userEvent.click(screen.getByRole('button', { name: 'No, remove them' }))
      expect(await screen.findByRole('alert')).toBeVisible()
      answer = accepted
      await userEvent.click(screen.getByRole('button', { name: 'Yes, they are all mine' }))
      await heading('Your email address is confirmed')
    })
  })

  it.each([
    ['token', 'This link does not work any more'],
    ['email', 'Another account has this address'],
  ])('explains what to do when the server refuses its %s', async (field, title) => {
    answer = refused({ [field]: ['No.'] })
    visit(`${CONFIRM}#one-token`)
    await confirm()
    expect(await heading(title)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to your profile' })).toHaveAttribute(
      'href',
      '/accounts/dashboard#/home/',
    )
  })

  it('can be retried after too many tries', async () => {
    const detail = 'Too many tries. Please try again in 3 minutes.'
    answer = () => HttpResponse.json({ code: 'rate_limited', detail }, { status: 429 })
    visit(`${CONFIRM}#one-token`)
    await confirm()
    expect(await screen.findByRole('alert')).toHaveTextContent(detail)
    answer = accepted
    await confirm()
    await heading('Your email address is confirmed')
  })

  it('without a token links to the profile, which sends another', async () => {
    visit(CONFIRM)
    await heading('Open the link in our mail')
    expect(screen.getByRole('link', { name: 'Go to your profile' })).toBeVisible()
  })
})
