import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { session } from '#/features/session/current'
import { PlaceMap } from '#/features/listings/PlaceMap'
import { SITE } from '../../../test/app-around'
import { PLACE } from '../../../test/photos'
import { AT } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { syncConsent } from './account'
import { storeAnswer, storedAnswer, thirdPartiesAllowed } from './consent'
import { ConsentQuestion } from './ConsentQuestion'
import { ConsentSection } from './ConsentSection'
import { ThirdPartyLink } from './ThirdPartyLink'

withTestServer()

const ASKING = { consent: { ...SITE.consent, asks: true } }
const KEY = 'consent'

/** The requests to record an answer. */
let recorded: unknown[] = []

beforeEach(() => {
  recorded = []
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
    http.get('/api/v2/profiles/me/consent/', ({ response }) =>
      response(200).json({ choice: null, date_chosen: null }),
    ),
    http.put('/api/v2/profiles/me/consent/', async ({ request, response }) => {
      const body = await request.json()
      recorded.push(body)
      return response(200).json({ choice: body.choice, date_chosen: AT })
    }),
  )
})

afterEach(() => {
  act(() => {
    session.end()
    storedAnswer.set(null)
  })
  localStorage.clear()
  sessionStorage.clear()
  document.getElementById('site-settings')?.remove()
  for (const name of ['globalPrivacyControl', 'doNotTrack']) {
    if (Object.hasOwn(navigator, name)) Reflect.deleteProperty(navigator, name)
  }
})

function signal(name: string, value: unknown): void {
  Object.defineProperty(navigator, name, { value, configurable: true })
}

async function signIn(isMember: boolean): Promise<void> {
  document.cookie = isMember ? 'signed_in=1' : 'signed_in=; Max-Age=0'
  await session.start()
}

/** Writes the site's settings into the page, as the server does. */
function settingsInPage(asks: boolean): void {
  const script = document.createElement('script')
  Object.assign(script, { id: 'site-settings', type: 'application/json' })
  script.textContent = JSON.stringify({ ...SITE, consent: { ...SITE.consent, asks } })
  document.body.append(script)
}

const banner = () => screen.findByRole('region', { name: 'Content of other companies' })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const stored = () => JSON.parse(localStorage.getItem(KEY) ?? 'null') as unknown

async function visit(site: object = ASKING, isMember = false) {
  await signIn(isMember)
  renderApp(
    <>
      <ConsentQuestion />
      <p>the page</p>
      <ThirdPartyLink href="https://others.example/" what="It comes from others" onward="Go there">
        Play
      </ThirdPartyLink>
    </>,
    { site },
  )
  expect(await screen.findByText('the page')).toBeVisible()
  await act(syncConsent)
}

const isAsked = () => screen.queryByRole('region', { name: 'Content of other companies' }) !== null

it.each([
  ['Accept all', 'all'],
  ['Only what is needed', 'needed'],
])('asks once if the law requires it, and remembers "%s"', async (name, choice) => {
  await visit()
  await banner()
  await press(name)
  await waitFor(() => expect(isAsked()).toBe(false))
  expect(stored()).toMatchObject({ choice, unrecordedOf: null })
  expect(recorded).toEqual([])
})

it('shows the whole wording on request', async () => {
  await visit()
  const question = within(await banner())
  const details = question.getByRole('button', { name: 'Details' })
  expect(details).toHaveAttribute('aria-expanded', 'false')
  await userEvent.click(details)
  expect(details).toHaveAttribute('aria-expanded', 'true')
  const wording = document.getElementById(details.getAttribute('aria-controls') ?? '')
  expect(wording).toHaveTextContent(SITE.consent.wording)
  expect(wording).toHaveAttribute('data-open')
  expect(question.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy/')
})

it('does not ask if no law requires it', async () => {
  await visit({})
  expect(isAsked()).toBe(false)
})

it.each([
  ['globalPrivacyControl', true],
  ['doNotTrack', '1'],
])('does not ask a browser that refuses by %s', async (name, value) => {
  signal(name, value)
  await visit()
  expect(isAsked()).toBe(false)
})

it.each([
  // asks, answer, signal, allowed
  [true, null, false, false],
  [true, 'all', false, true],
  [true, 'needed', false, false],
  [false, null, false, true],
  [false, 'needed', false, false],
  [false, 'all', true, false],
  [false, null, true, false],
] as const)('with asks %s, answer %s and signal %s allows others: %s', (asks, choice, has, is) => {
  settingsInPage(asks)
  if (choice) storeAnswer({ choice, at: Date.now(), version: '1', unrecordedOf: null })
  if (has) signal('globalPrivacyControl', true)
  expect(thirdPartiesAllowed()).toBe(is)
})

it('allows nothing while the site’s settings are unknown', () => {
  expect(thirdPartiesAllowed()).toBe(false)
})

it('follows another tab, and ignores invalid messages', async () => {
  await visit()
  await banner()
  const other = new BroadcastChannel('cityguide:consent')
  other.postMessage({ choice: 'yes' })
  other.postMessage({ choice: 'needed', at: Date.now(), version: '', unrecordedOf: null })
  await waitFor(() => expect(isAsked()).toBe(false))
  expect(storedAnswer.get()?.choice).toBe('needed')
  other.close()
})

it('records the choice of a signed-in reader, with the version of the text', async () => {
  await visit(ASKING, true)
  await banner()
  await press('Accept all')
  await waitFor(() => expect(recorded).toEqual([{ choice: 'all', version: '1' }]))
  await waitFor(() => expect(stored()).toMatchObject({ unrecordedOf: null }))
})

it('repeats a failed recording with the next page', async () => {
  server.use(
    http.put('/api/v2/profiles/me/consent/', ({ response }) =>
      response.untyped(HttpResponse.json({ detail: 'Later.' }, { status: 503 })),
    ),
  )
  await visit(ASKING, true)
  await banner()
  await press('Only what is needed')
  await waitFor(() => expect(stored()).toMatchObject({ choice: 'needed', unrecordedOf: 7 }))
  server.resetHandlers()
  server.use(
    http.put('/api/v2/profiles/me/consent/', async ({ request, response }) => {
      recorded.push(await request.json())
      return response(200).json({ choice: 'needed', date_chosen: AT })
    }),
  )
  await act(syncConsent)
  await waitFor(() => expect(stored()).toMatchObject({ unrecordedOf: null }))
  expect(recorded).toEqual([{ choice: 'needed' }])
})

function accountHas(choice: 'all' | 'needed' | null): { asked: number } {
  const count = { asked: 0 }
  server.use(
    http.get('/api/v2/profiles/me/consent/', ({ response }) => {
      count.asked += 1
      return response(200).json({ choice, date_chosen: choice && '2026-11-20T12:00:00Z' })
    }),
  )
  return count
}

it.each(['all', 'needed'] as const)(
  'takes over the account’s "%s", with its day, if the device has no answer',
  async (choice) => {
    settingsInPage(true)
    accountHas(choice)
    await visit(ASKING, true)
    expect(isAsked()).toBe(false)
    expect(stored()).toMatchObject({ choice, at: Date.parse('2026-11-20T12:00:00Z') })
    expect(thirdPartiesAllowed()).toBe(choice === 'all')
  },
)

it('queries the account once per tab, and then asks the reader', async () => {
  const count = accountHas(null)
  await visit(ASKING, true)
  await banner()
  await act(syncConsent)
  expect(count.asked).toBe(1)
})

it('keeps the device’s answer, and does not query the account', async () => {
  const count = accountHas('all')
  storeAnswer({ choice: 'needed', at: Date.now(), version: '', unrecordedOf: null })
  await visit(ASKING, true)
  expect(count.asked).toBe(0)
  expect(storedAnswer.get()?.choice).toBe('needed')
})

it('does not query the account if the browser refuses', async () => {
  const count = accountHas('all')
  signal('globalPrivacyControl', true)
  await visit(ASKING, true)
  expect(count.asked).toBe(0)
  expect(storedAnswer.get()).toBeNull()
})

it('asks before a link to another company, for once or for all', async () => {
  await visit()
  await userEvent.click(screen.getByRole('link', { name: 'Play' }))
  const question = screen.getByRole('group', { name: 'It comes from others' })
  expect(question).toHaveFocus()
  expect(question).toHaveTextContent(SITE.consent.wording)
  expect(screen.getByRole('link', { name: 'Go there' })).toHaveAttribute(
    'href',
    'https://others.example/',
  )
  const always = screen.getByRole('link', { name: 'Always allow' })
  expect(always).toHaveAttribute('href', 'https://others.example/')
  // jsdom follows no links.
  document.addEventListener('click', (event) => event.preventDefault(), { once: true })
  await userEvent.click(always)
  expect(screen.queryByRole('group')).toBeNull()
  expect(storedAnswer.get()?.choice).toBe('all')
})

it('offers a browser that refuses the one thing only', async () => {
  signal('globalPrivacyControl', true)
  await visit({})
  await userEvent.click(screen.getByRole('link', { name: 'Play' }))
  expect(screen.getByRole('group')).toHaveTextContent('Global Privacy Control')
  expect(screen.getByRole('link', { name: 'Go there' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Always allow' })).toBeNull()
})

it('does not ask before such a link if third parties are allowed', async () => {
  await visit({})
  document.addEventListener('click', (event) => event.preventDefault(), { once: true })
  await userEvent.click(screen.getByRole('link', { name: 'Play' }))
  expect(screen.queryByRole('group')).toBeNull()
})

const streets = (style: string, origins: string[] = []) => ({ ...ASKING, map: { style, origins } })

async function openMap(site: object) {
  const never = () => new Promise<never>(() => {})
  server.use(http.get('/api/v2/listings/', never), http.get('/api/v2/basemap/', never))
  const place = { ...PLACE, is_closed: false, coordinates: { lat: 43.6, lng: -79.4 } } as never
  renderApp(<PlaceMap place={place} />, { site })
  await userEvent.click(await screen.findByRole('button', { name: 'Show the map' }))
}

it('asks whether a map may load the streets of another company', async () => {
  await openMap(streets('https://maps.example/style.json'))
  const question = screen.getByRole('group')
  expect(question).toHaveTextContent('The streets of this map come from maps.example')
  await press('Show the streets')
  expect(screen.queryByRole('group')).toBeNull()
  expect(storedAnswer.get()).toBeNull()
})

it('names the tile server if only the style is the site’s own', async () => {
  await openMap(streets('/map/style.json', ['https://tiles.example:8443']))
  expect(screen.getByRole('group')).toHaveTextContent('come from tiles.example:8443')
  await press('Always allow')
  expect(screen.queryByRole('group')).toBeNull()
  expect(storedAnswer.get()?.choice).toBe('all')
})

it('does not ask about the site’s own streets', async () => {
  await openMap(streets('/map/style.json'))
  expect(screen.queryByRole('group')).toBeNull()
})

it('shows the current choice on the privacy page, and lets the reader change it', async () => {
  renderApp(<ConsentSection />, { site: ASKING })
  const said = await screen.findByText(/You have not chosen yet/)
  await press('Accept all')
  expect(said).toHaveTextContent(/^You accepted all on .+ \d{4}\.$/)
  expect(screen.getByRole('button', { name: 'Accept all' })).toHaveAttribute('aria-pressed', 'true')
  await press('Only what is needed')
  expect(said).toHaveTextContent(/^You chose only what is needed on /)
})

it('shows that the browser has refused, in place of a choice', async () => {
  signal('globalPrivacyControl', true)
  renderApp(<ConsentSection />, { site: {} })
  expect(await screen.findByText(/Global Privacy Control.*we treat it as a refusal/)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})
