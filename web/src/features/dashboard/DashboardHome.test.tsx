import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Profile } from '#/api/types'
import { authDialogs, closeDialogs } from '#/features/auth/dialogs'
import { queryClient, session } from '#/features/session/current'
import * as sitePath from '#/lib/site-path'
import { NO_COUNTS } from '../../../test/counts'
import { AT, NO_FEED, PHONE, ROBIN, sessionsPage, THIS_DEVICE } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { DashboardHome } from './DashboardHome'

withTestServer()

let me: Profile
let isSignedIn: boolean

beforeEach(async () => {
  me = ROBIN
  isSignedIn = true
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: isSignedIn ? 7 : null, server_time: AT }),
    ),
    http.get('/api/v2/profiles/me/', ({ response }) => response(200).json(me)),
    http.get('/api/v2/profiles/me/dashboard/', ({ response }) => response(200).json(NO_COUNTS)),
    http.get('/api/v2/profiles/me/calendar-feed/', ({ response }) => response(200).json(NO_FEED)),
    http.get('/api/v2/profiles/me/sessions/', ({ response }) =>
      response(200).json(sessionsPage(THIS_DEVICE, PHONE)),
    ),
  )
  document.cookie = 'signed_in=1'
  await session.start()
})

afterEach(() => {
  act(() => session.end())
  queryClient.clear()
})

const show = () => renderApp(<DashboardHome />, { client: queryClient })
const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }))
const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text)
const unauthorized = () =>
  HttpResponse.json({ code: 'not_authenticated', detail: 'Log in.' }, { status: 401 })

async function isClosed(): Promise<void> {
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

it('keeps its heading when it does not load, and can be asked for again', async () => {
  let isDown = true
  server.use(
    http.get('/api/v2/profiles/me/dashboard/', ({ response }) =>
      isDown
        ? response.untyped(HttpResponse.json({ code: 'internal' }, { status: 500 }))
        : response(200).json(NO_COUNTS),
    ),
  )
  show()
  expect(await screen.findByText('This did not load')).toBeVisible()
  expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
  isDown = false
  await press('Try again')
  expect(await screen.findByText('Nothing is kept here yet')).toBeVisible()
})

describe('the profile', () => {
  function answerChange(answer: () => Response): unknown[] {
    const bodies: unknown[] = []
    server.use(
      http.patch('/api/v2/profiles/me/', async ({ request, response }) => {
        bodies.push(await request.json())
        return response.untyped(answer())
      }),
    )
    return bodies
  }

  it('changes the name, and greets the reader by it', async () => {
    const bodies = answerChange(() => {
      me = { ...ROBIN, full_name: 'Ada Ames', first_name: 'Ada' }
      return HttpResponse.json(me)
    })
    show()
    await press('Change your name')
    await screen.findByRole('dialog', { name: 'Change your name' })
    const name = screen.getByLabelText('Full name')
    await waitFor(() => expect(name).toHaveFocus())
    expect(name).toHaveValue('Robin Ames')
    await userEvent.clear(name)
    await type('Full name', 'Ada Ames')
    await press('Save')
    await isClosed()
    expect(await screen.findByRole('heading', { name: 'Hello, Ada' })).toBeVisible()
    expect(bodies).toEqual([{ full_name: 'Ada Ames' }])
  })

  it('keeps the address until the link to the new one is used', async () => {
    const bodies = answerChange(() => {
      me = { ...ROBIN, pending_email: 'ada@example.com' }
      return HttpResponse.json(me)
    })
    show()
    expect(await screen.findByText('Confirmed')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Send the link again' })).toBeNull()
    await press('Change your email')
    await screen.findByRole('dialog', { name: 'Change your email' })
    await type('New email', 'ada@example.com')
    await press('Send a link to it')
    await isClosed()
    const text =
      'We have sent a link to ada@example.com; until it is used, robin@example.com stays your address.'
    expect(await screen.findByText(text)).toBeVisible()
    expect(bodies).toEqual([{ email: 'ada@example.com' }])
  })

  it('shows the server’s first message about an address, and forgets it with the dialog', async () => {
    answerChange(() =>
      HttpResponse.json({ code: 'invalid', email: ['Taken.', 'Other.'] }, { status: 400 }),
    )
    show()
    await press('Change your email')
    await screen.findByRole('dialog')
    await press('Send a link to it')
    expect(await screen.findByText('* Taken.')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await isClosed()
    await press('Change your email')
    await screen.findByRole('dialog')
    expect(screen.queryByText('* Taken.')).toBeNull()
  })

  it('sends the link again', async () => {
    me = { ...ROBIN, email_verified: false }
    const detail = 'Too many tries. Please try again in 12 minutes.'
    const answers = [
      () => HttpResponse.json({ code: 'rate_limited', detail }, { status: 429 }),
      () => new HttpResponse(null, { status: 204 }),
    ]
    server.use(
      http.post('/api/v2/profiles/me/email-confirmation/', ({ response }) =>
        response.untyped((answers.shift() ?? HttpResponse.error)()),
      ),
    )
    show()
    await press('Send the link again')
    expect(await screen.findByRole('alert')).toHaveTextContent(detail)
    await press('Send the link again')
    expect(await screen.findByText('We have sent it again.')).toBeVisible()
  })

  it('keeps the new name when the session has ended elsewhere, until the log-in dialog is closed', async () => {
    answerChange(unauthorized)
    show()
    await press('Change your name')
    await screen.findByRole('dialog')
    await type('Full name', ' Bell')
    isSignedIn = false
    await press('Save')
    await waitFor(() => expect(authDialogs.get().open).toBe('login'))
    expect(screen.getByLabelText('Full name')).toHaveValue('Robin Ames Bell')
    act(() => closeDialogs())
    await waitFor(() => expect(session.state.get().status).toBe('guest'))
  })
})

describe('a new password', () => {
  function answerPassword(answer: () => Response): unknown[] {
    const bodies: unknown[] = []
    server.use(
      http.post('/api/v2/profiles/me/password/', async ({ request, response }) => {
        bodies.push(await request.json())
        return response.untyped(answer())
      }),
    )
    return bodies
  }

  async function fill(repeat: string): Promise<void> {
    await press('Change your password')
    await screen.findByRole('dialog', { name: 'Change your password' })
    await type('Current password', 'streetcar501')
    await type('New password', 'tracks and wire')
    await type('Repeat the new password', repeat)
    await press('Change the password')
  }

  it('is not sent while its repetition differs', async () => {
    const bodies = answerPassword(() => HttpResponse.json(ROBIN))
    show()
    await fill('tracks')
    expect(screen.getByText("* The two passwords fields didn't match.")).toBeVisible()
    await type('Repeat the new password', ' and wire')
    await press('Change the password')
    await isClosed()
    expect(bodies).toEqual([{ current_password: 'streetcar501', new_password: 'tracks and wire' }])
  })

  it('shows the server’s messages', async () => {
    answerPassword(() =>
      HttpResponse.json(
        {
          code: 'invalid',
          current_password: ['Wrong.'],
          new_password: ['Too common.'],
          non_field_errors: ['Not now.'],
        },
        { status: 400 },
      ),
    )
    show()
    await fill('tracks and wire')
    for (const text of ['* Wrong.', '* Too common.', '* Not now.']) {
      expect(await screen.findByText(text)).toBeVisible()
    }
  })

  it('logs the other devices out, as the list shows', async () => {
    answerPassword(() => {
      server.use(
        http.get('/api/v2/profiles/me/sessions/', ({ response }) =>
          response(200).json(sessionsPage(THIS_DEVICE)),
        ),
      )
      return HttpResponse.json(ROBIN)
    })
    show()
    expect(await screen.findByText('Safari on iPhone')).toBeVisible()
    await fill('tracks and wire')
    await isClosed()
    expect(
      screen.getByText('Your password is changed. Your other devices are logged out.'),
    ).toBeVisible()
    expect(await screen.findByText('You are logged in on no other device.')).toBeVisible()
    expect(screen.queryByText('Safari on iPhone')).toBeNull()
  })
})

describe('the devices', () => {
  function answerEnd(answer: () => Response): string[] {
    const ended: string[] = []
    server.use(
      http.delete('/api/v2/profiles/me/sessions/{id}/', ({ params, response }) => {
        ended.push(params.id)
        return response.untyped(answer())
      }),
    )
    return ended
  }

  it('are listed with their last activity, and which one this is', async () => {
    show()
    const items = within(await screen.findByRole('region', { name: 'Where you are logged in' }))
    expect(await items.findByText('This device')).toBeVisible()
    expect(items.getByText('Last active 2 days ago')).toBeVisible()
  })

  it.each([204, 404])('are logged out one by one; an answer of %i is a success', async (status) => {
    const ended = answerEnd(() =>
      status === 204
        ? new HttpResponse(null, { status })
        : HttpResponse.json({ code: 'not_found', detail: 'Not found.' }, { status }),
    )
    show()
    await press('Log out: Safari on iPhone')
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
    expect(ended).toEqual(['2'])
    expect(screen.getByRole('list')).toHaveFocus()
  })

  it('stay listed when that fails, with the reason', async () => {
    answerEnd(() => HttpResponse.json({ code: 'unavailable' }, { status: 503 }))
    show()
    await press('Log out: Safari on iPhone')
    expect(await screen.findByRole('alert')).toHaveTextContent('could not be reached')
    expect(screen.getByText('Safari on iPhone')).toBeVisible()
  })

  it('log this one out as usual', async () => {
    const loadPage = vi.spyOn(sitePath, 'loadPage').mockImplementation(() => {})
    server.use(
      http.post('/api/v2/profiles/logout/v1/validate/', ({ response }) => response(204).empty()),
    )
    show()
    await press('Log out: Firefox on Linux')
    await waitFor(() => expect(loadPage).toHaveBeenCalledWith('/profiles/logout?next=%2F'))
    expect(session.state.get().status).toBe('guest')
  })

  it('can be retried when they did not load', async () => {
    server.use(
      http.get(
        '/api/v2/profiles/me/sessions/',
        ({ response }) =>
          response.untyped(HttpResponse.json({ code: 'internal' }, { status: 500 })),
        { once: true },
      ),
    )
    show()
    expect(await screen.findByText('Your devices did not load')).toBeVisible()
    await press('Try again')
    expect(await screen.findByText('Safari on iPhone')).toBeVisible()
  })
})
