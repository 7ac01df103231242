import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { ContactBody } from '#/api/types'
import { Announcer } from '#/ui/Announcer'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { ADVERTISING } from './contact'
import { ContactForm } from './ContactForm'

withTestServer()

interface Sent {
  key: string | null
  body: ContactBody
}

let sent: Sent[] = []
let answers: (() => Response)[] = []
const taken = () =>
  HttpResponse.json({ id: 'a', date_created: '2026-11-20T18:00:00.000Z' }, { status: 201 })

beforeEach(() => {
  sent = []
  answers = []
  server.use(
    http.post('/api/v2/contact/', async ({ request, response }) => {
      sent.push({ key: request.headers.get('idempotency-key'), body: await request.json() })
      return response.untyped((answers.shift() ?? taken)())
    }),
  )
})

async function show(): Promise<void> {
  renderApp(
    <>
      <ContactForm subject={ADVERTISING} />
      <Announcer />
    </>,
  )
  await screen.findByRole('button', { name: 'Send' })
}

const field = (name: string) => screen.getByRole('textbox', { name })
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }))

it('sends the form even when it is empty, and shows each of the server’s errors at its field', async () => {
  answers = [
    () =>
      HttpResponse.json(
        { name: ['This field may not be blank.'], message: ['Too short.'], code: 'invalid' },
        { status: 400 },
      ),
  ]
  await show()
  await send()
  await waitFor(() => expect(field('Name')).toHaveAttribute('aria-invalid', 'true'))
  expect(field('Name')).toHaveAccessibleDescription('Enter your name.')
  expect(field('Message')).toHaveAccessibleDescription('Too short.')
  expect(field('Email')).not.toHaveAttribute('aria-invalid')
  expect(sent[0]?.body.subject).toBe(ADVERTISING)
})

it('retries the same message with the same key, and a changed one with another', async () => {
  answers = [() => HttpResponse.error(), () => HttpResponse.json({}, { status: 503 }), taken]
  await show()
  await userEvent.type(field('Message'), 'Hello')
  for (const tries of [1, 2]) {
    await send()
    await waitFor(() => expect(sent).toHaveLength(tries))
    expect(await screen.findByText(/could not be reached/)).toBeVisible()
  }
  expect(field('Message')).toHaveValue('Hello')
  await userEvent.type(field('Message'), ' again')
  await send()
  expect(await screen.findByRole('heading', { name: 'Your message is on its way' })).toBeVisible()

  const [first, second, third] = sent.map(({ key }) => key)
  expect(first).toMatch(/^[0-9a-f-]{32,36}$/)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

it('announces the sent message, keeps the focus, and offers another message', async () => {
  await show()
  await userEvent.type(field('Email'), 'robin@example.com')
  await userEvent.type(field('Message'), 'Hello')
  await send()
  const title = await screen.findByRole('heading', { name: 'Your message is on its way' })
  expect(screen.getByRole('status')).toHaveTextContent('Your message is on its way.')
  expect(document.activeElement).toContainElement(title)
  expect(document.activeElement).not.toBe(document.body)

  await userEvent.click(screen.getByRole('button', { name: 'Write another' }))
  expect(field('Message')).toHaveValue('')
  expect(field('Email')).toHaveValue('robin@example.com')
})

it('says how long to wait after too many messages', async () => {
  answers = [() => HttpResponse.json({ detail: 'Try again in an hour.' }, { status: 429 })]
  await show()
  await send()
  expect(await screen.findByRole('alert')).toHaveTextContent('Try again in an hour.')
})
