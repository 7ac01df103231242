import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { GuestNewslettersBody, Profile } from '#/api/types'
import { queryClient, session } from '#/features/session/current'
import { FailedChange } from '#/features/site/FailedChange'
import { announce, Announcer } from '#/ui/Announcer'
import { NEWSLETTERS } from '../../../test/newsletters'
import { ROBIN } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { NewsletterPanel } from './NewsletterPanel'
import { newsletterOf } from './newsletters'
import { NewsletterSettings } from './NewsletterSettings'
import { SubscribeToMany } from './SubscribeToMany'

withTestServer()

const THANKS =
  "Thanks for signing up to our newsletter - we're excited to have you on board. Expect to hear from us soon."
const OFF = ROBIN.newsletter_settings ?? undefined

let sent: GuestNewslettersBody[] = []
let answer: () => Response
let me: Profile = ROBIN

beforeEach(async () => {
  sent = []
  me = ROBIN
  await session.start()
  answer = () => HttpResponse.json(OFF)
  server.use(
    http.post('/api/v2/profiles/guest-newsletters/', async ({ request, response }) => {
      sent.push(await request.json())
      return response.untyped(answer())
    }),
    http.get('/api/v2/profiles/me/', ({ response }) => response(200).json(me)),
  )
})

afterEach(() => {
  act(() => session.end())
  act(() => announce(''))
  queryClient.clear()
})

const show = (page: React.ReactNode) =>
  renderApp(
    <>
      {page}
      <Announcer />
      <FailedChange />
    </>,
    { site: { newsletters: NEWSLETTERS }, client: queryClient },
  )
const email = () => screen.findByRole('textbox', { name: /^Send (it|them) to$/ })
const subscribe = () => userEvent.click(screen.getByRole('button', { name: 'Subscribe' }))

it('replaces a sent form by the thanks, once it has faded', async () => {
  show(<NewsletterPanel type="foods" />)
  expect(await screen.findByText(NEWSLETTERS[1]?.consent ?? '')).toBeVisible()
  await userEvent.type(await email(), 'ada@example.com')
  await subscribe()
  await waitFor(() => expect(sent).toEqual([{ email: 'ada@example.com', type: 'foods' }]))
  expect(screen.queryByText(THANKS)).toBeNull()
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  const thanks = await screen.findAllByText(THANKS)
  // Once on the page, and once for screen readers.
  expect(thanks).toHaveLength(2)
  expect(thanks[0]?.parentElement).toHaveFocus()
  // The form may begin above the window.
  expect(scroll.mock.contexts).toEqual([thanks[0]?.parentElement])
  expect(screen.queryByRole('textbox')).toBeNull()
})

it('requests promotions only if their own box is ticked', async () => {
  show(<NewsletterPanel type="news" />)
  await userEvent.type(await email(), 'ada@example.com')
  await userEvent.click(screen.getByRole('checkbox', { name: NEWSLETTERS[3]?.consent ?? '' }))
  await subscribe()
  await waitFor(() =>
    expect(sent).toEqual([{ email: 'ada@example.com', type: 'news', promotional: true }]),
  )
})

it('shows the first of the server’s messages at the address, until the next typing', async () => {
  answer = () =>
    HttpResponse.json({ email: ['Enter a valid email address.', 'Two.'] }, { status: 400 })
  show(<NewsletterPanel type="news" />)
  await userEvent.type(await email(), 'ada@example.com')
  await subscribe()
  await waitFor(async () =>
    expect(await email()).toHaveAccessibleDescription('Enter a valid email address.'),
  )
  await userEvent.type(await email(), '.au')
  expect(await email()).not.toHaveAttribute('aria-invalid', 'true')
})

it.each([
  ['an invalid address', 'ada@example', 'Enter a valid email address.'],
  ['none', ' ', 'Enter your email.'],
])('sends nothing for %s, and says so until the next typing', async (_, text, message) => {
  for (const form of [<NewsletterPanel key="one" type="foods" />, <SubscribeToMany key="many" />]) {
    show(form)
    await userEvent.type(await email(), text)
    const dished = screen.queryByRole('checkbox', { name: /^Dished/ })
    if (dished) await userEvent.click(dished)
    await subscribe()
    expect(await email()).toHaveFocus()
    expect(await email()).toHaveAccessibleDescription(message)
    expect(await email()).toHaveAttribute('aria-invalid', 'true')
    await userEvent.type(await email(), 'a')
    expect(await email()).not.toHaveAttribute('aria-invalid')
    expect(await email()).not.toHaveAccessibleDescription(message)
    expect(sent).toEqual([])
    cleanup()
  }
})

it('takes an empty answer for a failure', async () => {
  answer = () => HttpResponse.json(null)
  show(<NewsletterPanel type="news" />)
  await userEvent.type(await email(), 'ada@example.com')
  await subscribe()
  expect(await screen.findByText('You could not be signed up. Please try again.')).toBeVisible()
  expect(screen.queryByText(THANKS)).toBeNull()
})

it('has a heading by its type, and none for contests', async () => {
  show(
    <>
      <NewsletterPanel type="foods" />
      <NewsletterPanel type="contests" />
    </>,
  )
  expect(await screen.findByRole('heading', { name: 'Dished' })).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'Contests' })).toBeNull()
  expect(screen.getByRole('region', { name: 'Contests' })).toHaveTextContent('All about Contests.')
})

it('requests the ticked newsletters on the page of all newsletters, and requires one', async () => {
  show(<SubscribeToMany />)
  await userEvent.type(await email(), 'ada@example.com')
  await subscribe()
  expect(await screen.findByText('Choose at least one newsletter.')).toBeVisible()
  expect(sent).toEqual([])
  await userEvent.click(screen.getByRole('checkbox', { name: /^Dished/ }))
  await userEvent.click(screen.getByRole('checkbox', { name: /^Top Stories/ }))
  await subscribe()
  await waitFor(() => expect(sent).toEqual([{ email: 'ada@example.com', news: true, foods: true }]))
  expect(await screen.findAllByText(THANKS)).toHaveLength(2)
})

it('switches a reader’s newsletter immediately, and after a failure reverts it and offers to try again', async () => {
  const changes: unknown[] = []
  let refuse = false
  server.use(
    http.patch('/api/v2/profiles/me/', async ({ request, response }) => {
      const change = await request.json()
      changes.push(change)
      if (refuse) return response.untyped(HttpResponse.json({}, { status: 503 }))
      const settings = { ...OFF, ...change?.newsletter_settings } as typeof OFF
      me = { ...me, newsletter_settings: settings ?? null }
      return response(200).json(me)
    }),
  )
  show(<NewsletterSettings />)
  const dished = await screen.findByRole('switch', { name: 'Dished' })
  await userEvent.click(dished)
  expect(dished).toBeChecked()
  await waitFor(() => expect(changes).toEqual([{ newsletter_settings: { foods: true } }]))
  refuse = true
  const news = screen.getByRole('switch', { name: 'Top Stories' })
  await userEvent.click(news)
  expect(await screen.findByRole('alert')).toHaveTextContent('Your newsletters were not changed.')
  expect(news).not.toBeChecked()
  expect(dished).toBeChecked()
  refuse = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(news).toBeChecked())
  expect(screen.queryByRole('alert')).toBeNull()
  expect(changes.slice(1)).toEqual(Array(2).fill({ newsletter_settings: { news: true } }))
})

it('reports to a reader with an unconfirmed address that nothing is sent, and offers a retry without settings', async () => {
  me = { ...ROBIN, email_verified: false }
  show(<NewsletterSettings />)
  expect(await screen.findByText(/We’ll email you at robin@example.com/)).toBeVisible()
  me = { ...ROBIN, newsletter_settings: null }
  await act(() => queryClient.invalidateQueries())
  expect(await screen.findByText('Your newsletters did not load')).toBeVisible()
})

it('matches the section of an article', () => {
  expect(['food', 'real-estate', 'travel', 'news', 'tech'].map(newsletterOf)).toEqual([
    'foods',
    'real_estate',
    'travel',
    'news',
    'news',
  ])
})
