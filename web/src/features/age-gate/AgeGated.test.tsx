import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '#/lib/http'
import { renderApp } from '../../../test/render-app'
import { server, withTestServer } from '../../../test/server'
import { forgetAnswer } from './age'
import { AgeGated } from './AgeGated'

withTestServer()

const COOKIE = 'is_user_over_18'

let requests: (string | null)[] = []
const cookie = () => document.cookie.split('; ').find((part) => part.startsWith(COOKIE))

beforeEach(() => {
  requests = []
  server.use(
    http.get('*/gated/', ({ request }) => {
      const header = request.headers.get('x-of-legal-age')
      requests.push(header)
      const isOfAge = header === '1' || cookie() === `${COOKIE}=true`
      return isOfAge
        ? HttpResponse.json({ text: 'the whole text' })
        : HttpResponse.json({ detail: 'No.' }, { status: 403 })
    }),
  )
})

afterEach(() => {
  forgetAnswer()
  document.cookie = `${COOKIE}=; Max-Age=0; Path=/`
})

function Gated({ isRestricted }: { isRestricted: boolean }) {
  return (
    <AgeGated
      isRestricted={isRestricted}
      item={{ text: 'the teaser' }}
      whole={(headers) => ({
        queryKey: ['gated'],
        queryFn: async ({ signal }) => {
          const answer = await fetch('/gated/', { headers, signal })
          if (!answer.ok) throw new ApiError(answer.status)
          return (await answer.json()) as { text: string }
        },
        retry: false,
      })}
    >
      {(item) => <p>{item.text}</p>}
    </AgeGated>
  )
}

async function visit(isRestricted = true) {
  const { router } = renderApp(<Gated isRestricted={isRestricted} />, {
    site: { legal_age: 21 },
    at: '/story/',
  })
  await waitFor(() => expect(document.querySelector('p')).not.toBeNull())
  return router
}

const dialog = () => screen.findByRole('alertdialog', { name: 'Age Restricted Content' })
const noDialog = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const tick = () =>
  userEvent.click(screen.getByRole('checkbox', { name: 'Remember my selection for 30 days.' }))
const isMarked = () => document.body.classList.contains('age-gate-open')

it('asks without a cookie, and sends no request before the answer', async () => {
  await visit()
  expect(await dialog()).toBeVisible()
  expect(screen.getByText(/21 or older/)).toBeVisible()
  for (const text of [
    'Yes, I am of legal age',
    'No, I am not of legal age',
    'Remember my selection for 30 days.',
    'I confirm that this is not a shared device.',
  ]) {
    expect(screen.getByText(text)).toBeVisible()
  }
  expect(isMarked()).toBe(true)
  expect(requests).toEqual([])
  expect(screen.queryByText('the whole text')).toBeNull()
})

it.each(['yes', '', 'True', 'TRUE', '1', 'true;x', 'truefalse', '%22true%22'])(
  'opens the dialog with cookie %j',
  async (value) => {
    document.cookie = `${COOKIE}=${value.replace(';', '%3B')}; Path=/`
    await visit()
    expect(await dialog()).toBeVisible()
    expect(requests).toEqual([])
  },
)

it('keeps an unticked Yes in memory only, and sends it in a header', async () => {
  await visit()
  await dialog()
  await press('Yes, I am of legal age')
  expect(await screen.findByText('the whole text')).toBeVisible()
  await noDialog()
  expect(isMarked()).toBe(false)
  expect(requests).toEqual(['1'])
  expect(cookie()).toBeUndefined()
})

it('remembers a ticked Yes for 30 days', async () => {
  const written = vi.spyOn(document, 'cookie', 'set')
  await visit()
  await dialog()
  await tick()
  await press('Yes, I am of legal age')
  expect(await screen.findByText('the whole text')).toBeVisible()
  expect(written.mock.calls.flat()).toEqual([
    `${COOKIE}=true; Max-Age=2592000; Path=/; SameSite=Lax`,
  ])
})

it('does not ask if a Yes is remembered', async () => {
  document.cookie = `${COOKIE}=true; Path=/`
  await visit()
  expect(await screen.findByText('the whole text')).toBeVisible()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(requests).toEqual([null])
})

it('opens the front page if a No is remembered', async () => {
  document.cookie = `${COOKIE}=false; Path=/`
  renderApp(<Gated isRestricted />, { at: '/story/' })
  expect(await screen.findByText('the front')).toBeVisible()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(requests).toEqual([])
})

it('opens the front page after an unticked No, and stores nothing', async () => {
  const router = await visit()
  await dialog()
  await press('No, I am not of legal age')
  expect(await screen.findByText('the front')).toBeVisible()
  await noDialog()
  expect(isMarked()).toBe(false)
  expect(cookie()).toBeUndefined()
  // Back asks again.
  router.history.back()
  expect(await dialog()).toBeVisible()
  expect(requests).toEqual([])
})

it('remembers a ticked No for 30 days, and does not ask again', async () => {
  const written = vi.spyOn(document, 'cookie', 'set')
  const router = await visit()
  await dialog()
  await tick()
  await press('No, I am not of legal age')
  expect(await screen.findByText('the front')).toBeVisible()
  expect(written.mock.calls.flat()).toEqual([
    `${COOKIE}=false; Max-Age=2592000; Path=/; SameSite=Lax`,
  ])
  router.history.back()
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  await noDialog()
  expect(requests).toEqual([])
})

it('treats Escape as a No that is not remembered, even if the box is ticked', async () => {
  await visit()
  await dialog()
  await tick()
  await userEvent.keyboard('{Escape}')
  expect(await screen.findByText('the front')).toBeVisible()
  expect(cookie()).toBeUndefined()
  expect(requests).toEqual([])
})

it('asks again if the server has not recorded a Yes', async () => {
  server.use(http.get('*/gated/', () => HttpResponse.json({ detail: 'No.' }, { status: 403 })))
  await visit()
  await dialog()
  await press('Yes, I am of legal age')
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await dialog()).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('does not ask if nothing is restricted', async () => {
  document.cookie = `${COOKIE}=false; Path=/`
  await visit(false)
  expect(await screen.findByText('the teaser')).toBeVisible()
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
