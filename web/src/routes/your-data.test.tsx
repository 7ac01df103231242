import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { YourData } from '#/features/account/YourData'
import { queryClient, session } from '#/features/session/current'
import { DASHBOARD_VISIT } from '#/features/session/session'
import { loadPage } from '#/lib/site-path'
import { saveFile } from '#/lib/save-file'
import { AT, RECEIPT, ROBIN } from '../../test/reader'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'
import { LogoutPage } from './logout'
import { ReceiptPage } from './receipt'

vi.mock(import('#/lib/site-path'), async (original) => ({
  ...(await original()),
  loadPage: vi.fn(),
}))
vi.mock(import('#/lib/save-file'), async (original) => ({
  ...(await original()),
  saveFile: vi.fn(),
}))

withTestServer()

let sent: unknown[] = []
let answer: () => Response

beforeEach(async () => {
  vi.mocked(loadPage).mockClear()
  vi.mocked(saveFile).mockClear()
  sent = []
  answer = () => new HttpResponse(null, { status: 204 })
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
    http.delete('/api/v2/profiles/me/', async ({ request, response }) => {
      sent.push(await request.json())
      return response.untyped(answer())
    }),
  )
  document.cookie = 'signed_in=1'
  await session.start()
})

afterEach(() => {
  act(() => session.end())
  queryClient.clear()
})

const show = () => renderApp(<YourData me={ROBIN} />, { client: queryClient })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

/** jsdom's files have no `text()`. */
function textOf(file: Blob | undefined): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    if (file) reader.readAsText(file)
  })
}

async function erase(password: string): Promise<void> {
  show()
  await press('Delete your account')
  await userEvent.type(screen.getByLabelText('Current password'), password)
  await press('Delete my account')
}

it('saves the export under the name that the server gives it', async () => {
  server.use(
    http.get('/api/v2/profiles/me/export/', ({ response }) =>
      response.untyped(
        new HttpResponse('PK', {
          headers: {
            'Content-Type': 'application/zip',
            'Content-Disposition': 'attachment; filename="guide-data.zip"',
          },
        }),
      ),
    ),
  )
  show()
  await press('Download your data')
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce())
  const [[name, content] = []] = vi.mocked(saveFile).mock.calls
  expect(name).toBe('guide-data.zip')
  expect(content?.size).toBe(2)
})

it.each([
  [429, 'You have downloaded it several times just now.'],
  [503, 'Your data could not be downloaded.'],
])('shows the reason of a failed download with %i', async (status, words) => {
  server.use(
    http.get('/api/v2/profiles/me/export/', ({ response }) =>
      response.untyped(HttpResponse.json({ code: 'x' }, { status })),
    ),
  )
  show()
  await press('Download your data')
  expect(await screen.findByRole('alert')).toHaveTextContent(words)
  expect(saveFile).not.toHaveBeenCalled()
})

it('deletes the account by its password, and leaves nothing of the reader in the browser', async () => {
  window.localStorage.setItem(DASHBOARD_VISIT, '{}')
  await erase('tracks and wire')
  await waitFor(() => expect(loadPage).toHaveBeenCalledWith('/profiles/logout?erased=1'))
  expect(sent).toEqual([{ current_password: 'tracks and wire' }])
  expect(session.state.get().status).toBe('guest')
  expect(window.localStorage.getItem(DASHBOARD_VISIT)).toBeNull()
})

it('keeps the account, and the input, if the password is wrong', async () => {
  const message = 'This is not your current password.'
  answer = () =>
    HttpResponse.json({ code: 'invalid', current_password: [message] }, { status: 400 })
  await erase('wrong')
  await waitFor(() =>
    expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription(`* ${message}`),
  )
  expect(screen.getByLabelText('Current password')).toHaveValue('wrong')
  expect(session.state.get().status).toBe('member')
  expect(loadPage).not.toHaveBeenCalled()
})

it('confirms on the next page that the account is deleted', async () => {
  act(() => session.end())
  renderApp(<LogoutPage />, { at: '/profiles/logout?erased=1', client: queryClient })
  expect(await screen.findByRole('heading', { name: 'Your account is deleted' })).toBeVisible()
})

it('shows a receipt by its link, and saves it unchanged', async () => {
  const requests: string[] = []
  server.use(
    http.get('/api/v2/receipts/{token}/', ({ params, response }) => {
      requests.push(params.token)
      return response(200).json(RECEIPT)
    }),
  )
  renderApp(<ReceiptPage />, { at: '/accounts/receipt#a-token', client: queryClient })
  expect(await screen.findByRole('row', { name: 'Favourite places 1,200' })).toBeVisible()
  expect(screen.getByRole('row', { name: 'Photo reports 1' })).toBeVisible()
  expect(screen.getByText(/^Until December 20, 2026 at 1:00/)).toBeVisible()
  expect(requests).toEqual(['a-token'])
  await press('Download the receipt')
  const [[name, content] = []] = vi.mocked(saveFile).mock.calls
  expect(name).toBe('receipt-7.json')
  expect(JSON.parse(await textOf(content))).toEqual(RECEIPT)
})

it('says so if the receipt no longer exists', async () => {
  server.use(
    http.get('/api/v2/receipts/{token}/', ({ response }) =>
      response.untyped(HttpResponse.json({ code: 'not_found' }, { status: 404 })),
    ),
  )
  renderApp(<ReceiptPage />, { at: '/accounts/receipt#old', client: queryClient })
  expect(await screen.findByRole('heading', { name: 'There is no such receipt' })).toBeVisible()
})
