import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'
import type { Contest, NewEntry } from '#/api/types'
import { session } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { deferred } from '../../../test/deferred'
import { AT, ROBIN } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { Entry } from './Entry'
import { useEnter } from './queries'
import type { Stage } from './stage'

withTestServer()

const contest: Contest = {
  id: 7,
  name: 'Win a sign',
  share_url: '/contests/win-a-sign/',
  excerpt: '',
  is_age_restricted: false,
  authors: [],
  tags: [],
  opens_at: '2026-11-01T04:00:00Z',
  opens_on: 'Sunday, November 1, 2026 at 12:00 a.m.',
  closes_at: '2026-12-01T05:00:00Z',
  has_closed: false,
  question: 'What are the brushes made of?',
  rules: '',
}

function Entering({ stage }: { stage: Stage }) {
  return <Entry contest={contest} stage={stage} enter={useEnter(contest.id)} />
}

function show(stage: Stage) {
  return renderApp(<Entering stage={stage} />)
}

it.each([
  ['closed', 'This contest has closed'],
  ['upcoming', 'Not open yet'],
] as const)('shows no form while the contest is %s, and the reason', async (stage, title) => {
  show(stage)
  expect(await screen.findByRole('heading', { name: title })).toBeVisible()
  expect(screen.queryByRole('form')).toBeNull()
  expect(screen.getByRole('link', { name: 'See the other contests' })).toBeVisible()
})

it('shows when it opens', async () => {
  show('upcoming')
  expect(await screen.findByText(/November 1, 2026 at 12:00/)).toBeVisible()
})

it('shows each of the server’s messages under its field, and keeps the input', async () => {
  const bodies: NewEntry[] = []
  server.use(
    http.post('/api/v2/contests/{id}/entries/', async ({ request }) => {
      bodies.push(await request.json())
      return HttpResponse.json(
        {
          code: 'invalid',
          email: ['Enter a valid email address.'],
          non_field_errors: ['This contest has closed.'],
        },
        { status: 400 },
      ) as never
    }),
  )
  show('open')
  await userEvent.type(await screen.findByLabelText('Full name'), 'Robin Ames')
  await userEvent.type(screen.getByLabelText(contest.question), 'Hair')
  await userEvent.click(screen.getByLabelText('I accept the rules'))
  await userEvent.click(screen.getByRole('button', { name: 'Enter the contest' }))
  expect(await screen.findByText('This contest has closed.')).toBeVisible()
  expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Enter a valid email address.')
  expect(screen.getByLabelText('Full name')).toHaveValue('Robin Ames')
  expect(bodies).toEqual([
    { full_name: 'Robin Ames', email: '', answer: 'Hair', accepts_rules: true },
  ])
})

it('retries the same entry with its key, and sends a changed one with another', async () => {
  const keys: (string | null)[] = []
  const statuses = [503, 429, 202]
  server.use(
    http.post('/api/v2/contests/{id}/entries/', ({ request }) => {
      keys.push(request.headers.get('idempotency-key'))
      const status = statuses.shift() ?? 500
      return HttpResponse.json(status === 202 ? { contest: 7 } : {}, { status }) as never
    }),
  )
  show('open')
  const send = async () =>
    userEvent.click(await screen.findByRole('button', { name: 'Enter the contest' }))
  // The first failure is retried by itself.
  await send()
  expect(await screen.findByText(/^Too many tries\./)).toBeVisible()
  await userEvent.type(screen.getByLabelText('Full name'), 'Robin Ames')
  await send()
  expect(await screen.findByRole('heading', { name: 'You are in the draw' })).toBeVisible()
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys).toEqual([keys[0], keys[0], expect.not.stringMatching(`^${keys[0]}$`)])
})

it('can be sent from a site without https, where browsers generate no UUIDs', async () => {
  const keys: (string | null)[] = []
  server.use(
    http.post('/api/v2/contests/{id}/entries/', ({ request }) => {
      keys.push(request.headers.get('idempotency-key'))
      return HttpResponse.json({ contest: 7 }, { status: 202 }) as never
    }),
  )
  const real = crypto
  vi.stubGlobal('crypto', {
    getRandomValues: (array: Uint8Array<ArrayBuffer>) => real.getRandomValues(array),
  })
  try {
    show('open')
    await userEvent.click(await screen.findByRole('button', { name: 'Enter the contest' }))
    expect(await screen.findByRole('heading', { name: 'You are in the draw' })).toBeVisible()
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
  } finally {
    vi.unstubAllGlobals()
  }
})

it('starts with the name and address of a signed-in reader', async () => {
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: ROBIN.id, server_time: AT }),
    ),
    http.get('/api/v2/profiles/me/', ({ response }) => response(200).json(ROBIN)),
  )
  document.cookie = 'signed_in=1'
  await session.start()
  show('open')
  expect(await screen.findByDisplayValue('Robin Ames')).toBe(screen.getByLabelText('Full name'))
  const email = screen.getByLabelText('Email')
  expect(email).toHaveValue('robin@example.com')
  await userEvent.clear(email)
  expect(email).toHaveValue('')
  act(() => session.end())
})

it('keeps a name that was typed before the reader’s own arrived', async () => {
  const asked = deferred<true>()
  const answer = deferred<true>()
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: ROBIN.id, server_time: AT }),
    ),
    http.get('/api/v2/profiles/me/', async ({ response }) => {
      asked.resolve(true)
      await answer.promise
      return response(200).json(ROBIN)
    }),
  )
  document.cookie = 'signed_in=1'
  await session.start()
  const { client } = show('open')
  await userEvent.type(await screen.findByLabelText('Full name'), 'Sam')
  await asked.promise
  answer.resolve(true)
  await waitFor(() => expect(client.getQueryData(meOptions().queryKey)).toEqual(ROBIN))
  expect(screen.getByLabelText('Full name')).toHaveValue('Sam')
  act(() => session.end())
})
