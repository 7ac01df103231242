import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { queryClient } from '#/features/session/current'
import { Announcer } from '#/ui/Announcer'
import { FakeRequest, requestAt, withFakeRequests } from '../../../test/fake-request'
import { ownPhotoOf, PLACE } from '../../../test/photos'
import { ROBIN } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { NO_COUNTS } from '../../../test/counts'
import { UploadPhotos } from './UploadPhotos'

withTestServer()
withFakeRequests()

const NAMES = ['a.jpg', 'b.png', 'c.webp']
const types: Record<string, string> = { jpg: 'jpeg', png: 'png', webp: 'webp', gif: 'gif' }
const picture = (name: string): File =>
  new File([name], name, { type: `image/${types[name.split('.').at(-1) ?? ''] ?? ''}` })

beforeEach(() => {
  URL.createObjectURL = (file) => `blob:${(file as File).name}`
  URL.revokeObjectURL = () => {}
  server.use(
    http.get('/api/v2/profiles/me/', ({ response }) => response(200).json(ROBIN)),
    http.get('/api/v2/profiles/me/dashboard/', ({ response }) => response(200).json(NO_COUNTS)),
  )
})

afterEach(() => {
  queryClient.clear()
})

async function show() {
  const around = renderApp(
    <>
      <UploadPhotos place={{ ...PLACE, is_closed: false }} />
      <Announcer />
    </>,
    { client: queryClient },
  )
  await screen.findByText('Choose photos')
  return around
}

const choose = (...names: string[]) =>
  userEvent.upload(screen.getByLabelText('Choose photos'), names.map(picture), {
    applyAccept: false,
  })
const items = () => screen.queryAllByRole('listitem', { name: /\.\w+$/ })
const item = (name: string) => within(screen.getByRole('listitem', { name }))
const upload = async (name = /^Upload \d/) =>
  userEvent.click(await screen.findByRole('button', { name }))

it('sends the chosen photos with their descriptions and rights, in the server’s order of fields', async () => {
  await show()
  await choose(...NAMES)
  expect(items()).toHaveLength(3)
  expect(screen.getByRole('listitem', { name: 'a.jpg' }).querySelector('img')).toHaveAttribute(
    'src',
    'blob:a.jpg',
  )
  await userEvent.type(item('b.png').getByLabelText('Description'), 'The terrace ')
  await waitFor(() => expect(screen.getByLabelText('Credit')).toHaveValue('Robin Ames'))
  await userEvent.selectOptions(screen.getByLabelText('Licence'), 'CC BY 4.0')
  await upload(/^Upload 3 photos$/)
  expect(FakeRequest.all).toHaveLength(2)
  const { path, form, headers } = requestAt(1)
  expect(path).toBe('/api/v2/photos/')
  expect(headers['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/)
  expect([...form.keys()]).toEqual(['listing', 'description', 'credit', 'licence', 'image'])
  expect([...form.values()].slice(0, 4)).toEqual(['9', 'The terrace', 'Robin Ames', 'CC-BY-4.0'])
  expect((form.get('image') as File).name).toBe('b.png')
})

it('shows the progress of each, cancels one, and describes the next steps of the others', async () => {
  await show()
  await choose(...NAMES)
  await upload()
  requestAt(0).progress(30, 100)
  expect(item('a.jpg').getByRole('progressbar', { name: 'Sending a.jpg' })).toHaveValue(0.3)
  expect(item('a.jpg').getByText('30%')).toBeVisible()
  expect(item('c.webp').getByText('Waiting to upload.')).toBeVisible()

  await userEvent.click(item('b.png').getByRole('button', { name: 'Cancel: b.png' }))
  expect(requestAt(1).isAborted).toBe(true)
  expect(items()).toHaveLength(2)

  await requestAt(0).answer(201, ownPhotoOf(1, { status: 'waiting' }))
  expect(item('a.jpg').getByText('Waiting for a look')).toBeVisible()
  expect(item('a.jpg').getByText(/One of us looks at it before everybody can see it/)).toBeVisible()
  await requestAt(2).answer(200, ownPhotoOf(3, { status: 'processing' }))
  expect(item('c.webp').getByText('Being prepared')).toBeVisible()

  expect(await screen.findByRole('heading', { name: 'Your photos are sent' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to Pai' })).toHaveAttribute('href', PLACE.share_url)
  expect(screen.getByRole('link', { name: 'Your photos' })).toHaveAttribute(
    'href',
    '/accounts/dashboard#/photos/',
  )
})

it('retries after a lost connection, with the same key', async () => {
  await show()
  await choose('a.jpg')
  await upload()
  await requestAt(0).cut()
  expect(item('a.jpg').getByRole('alert')).toHaveTextContent('The connection was lost.')
  expect(screen.getByText(/^A photo was not sent/)).toBeInTheDocument()
  await userEvent.click(item('a.jpg').getByRole('button', { name: 'Try again: a.jpg' }))
  expect(requestAt(1).headers['Idempotency-Key']).toBe(requestAt(0).headers['Idempotency-Key'])
  await requestAt(1).answer(201, ownPhotoOf(1, { status: 'waiting' }))
  expect(await screen.findByRole('heading', { name: 'Your photo is sent' })).toBeVisible()
})

it.each([
  [400, { code: 'invalid', image: ['This picture is too small.'] }, 'This picture is too small.'],
  [400, { listing: ['This place has closed.'] }, 'This place has closed.'],
  [413, {}, 'This file is too large for the site.'],
  [429, { detail: 'Try again in an hour.' }, 'Try again in an hour.'],
  [503, {}, 'The site could not be reached. Please try again.'],
])('shows the server’s message at the file: %i %j', async (status, body, message) => {
  await show()
  await choose('a.jpg')
  await upload()
  await requestAt(0).answer(status, body)
  expect(item('a.jpg').getByRole('alert')).toHaveTextContent(message)
  const isFinal = status === 400 || status === 413
  expect(item('a.jpg').queryByRole('button', { name: /^Try again/ }) === null).toBe(isFinal)
  expect(item('a.jpg').getByRole('button', { name: 'Remove: a.jpg' })).toBeVisible()
})

it('shows at a file that it cannot be sent', async () => {
  await show()
  await choose('a.jpg', 'b.gif')
  expect(item('b.gif').getByRole('alert')).toHaveTextContent('not a JPEG, PNG or WebP')
  expect(await screen.findByRole('button', { name: 'Upload 1 photo' })).toBeVisible()
  await userEvent.click(item('b.gif').getByRole('button', { name: 'Remove: b.gif' }))
  expect(items()).toHaveLength(1)
})

it('accepts twenty at most', async () => {
  await show()
  await choose(...Array.from({ length: 22 }, (_, index) => `${index}.jpg`))
  expect(items()).toHaveLength(20)
  expect(screen.getByText(/20 photos are chosen\. .*: 2 were left out/)).toBeInTheDocument()
})

it('accepts files that are dropped and pasted', async () => {
  await show()
  const zone = screen.getByText(/Drop photos here/).parentElement
  if (!zone) throw new Error('Nowhere to drop')
  fireEvent.dragOver(zone)
  expect(zone).toHaveAttribute('data-over')
  fireEvent.drop(zone, { dataTransfer: { files: [picture('a.jpg')] } })
  expect(zone).not.toHaveAttribute('data-over')
  const paste = new Event('paste', { bubbles: true, cancelable: true })
  Object.assign(paste, { clipboardData: { files: [picture('b.png')] } })
  act(() => void document.dispatchEvent(paste))
  expect(paste.defaultPrevented).toBe(true)
  expect(items()).toHaveLength(2)
  // Text can be pasted as usual.
  const text = new Event('paste', { bubbles: true, cancelable: true })
  act(() => void document.dispatchEvent(Object.assign(text, { clipboardData: { files: [] } })))
  expect(text.defaultPrevented).toBe(false)
})

it('offers a phone’s camera', async () => {
  await show()
  const camera = screen.getByLabelText('Take a photo')
  expect(camera).toHaveAttribute('capture', 'environment')
  expect(camera).toHaveAttribute('accept', 'image/jpeg,image/png,image/webp')
  await userEvent.upload(camera, picture('a.jpg'))
  expect(items()).toHaveLength(1)
})

it('asks before the reader leaves it with running uploads, and then cancels them', async () => {
  const { router } = await show()
  await choose('a.jpg')
  await upload()
  void router.navigate({ to: '/' })
  const question = within(await screen.findByRole('alertdialog'))
  await userEvent.click(question.getByRole('button', { name: 'Stay' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(requestAt(0).isAborted).toBe(false)
  void router.navigate({ to: '/' })
  const again = within(await screen.findByRole('alertdialog'))
  await userEvent.click(again.getByRole('button', { name: 'Leave' }))
  expect(await screen.findByText('the front')).toBeVisible()
  expect(requestAt(0).isAborted).toBe(true)
})
