import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { queryClient } from '#/features/session/current'
import { NO_COUNTS } from '../../../test/counts'
import { ownPhotoOf } from '../../../test/photos'
import { AT } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { OwnPhotos } from './OwnPhotos'
import type { OwnPhoto } from './types'

withTestServer()

let photos: OwnPhoto[] = []

beforeEach(() => {
  photos = []
  server.use(
    http.get('/api/v2/profiles/me/dashboard/', ({ response }) => response(200).json(NO_COUNTS)),
    http.get('/api/v2/photos/me', ({ request, response }) => {
      const offset = Number(new URL(request.url).searchParams.get('offset') ?? 0)
      const next = offset + 2 < photos.length ? `/api/v2/photos/me?offset=${offset + 2}` : null
      return response(200).json({
        results: photos.slice(offset, offset + 2),
        ...{ count: photos.length, next, server_time: AT },
      })
    }),
  )
})

afterEach(() => {
  queryClient.clear()
})

const show = () => renderApp(<OwnPhotos />, { client: queryClient })
const names = () => screen.queryAllByRole('heading', { level: 3 }).length

it('explains how to add the first one', async () => {
  show()
  expect(screen.queryByText('You have no photos yet.')).toBeNull()
  expect(await screen.findByText('You have no photos yet.')).toBeVisible()
  expect(screen.getByText(/choose “Upload a Photo” there/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Browse places' })).toBeVisible()
})

it('shows the status of each photo', async () => {
  const coming = { thumbnail_url: null, whole_url: null, prism_image_url: null }
  photos = [
    ownPhotoOf(4, { status: 'processing', ...coming, width: null, height: null }),
    ownPhotoOf(3, { status: 'waiting' }),
    ownPhotoOf(2, { status: 'refused', reason: 'It shows another place.' }),
    ownPhotoOf(1),
  ]
  show()
  expect(await screen.findByText('Being prepared')).toBeVisible()
  expect(screen.getByText('Waiting for a look')).toBeVisible()
  expect(screen.getAllByRole('img')).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: 'Load More' }))
  expect(await screen.findByText('It shows another place.')).toBeVisible()
  expect(screen.getByText('Not published')).toBeVisible()
  expect(screen.getByText('Published')).toBeVisible()
  expect(screen.getByText('4 uploaded')).toBeVisible()
  // Only published photos have an address.
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links.filter((href) => href?.includes('/photos/'))).toEqual(['/restaurants/pai/photos/1'])
})

it('deletes one after a confirmation, and continues from there', async () => {
  photos = [3, 2, 1].map((id) => ownPhotoOf(id))
  const deleted: string[] = []
  server.use(
    http.delete('/api/v2/photos/{id}/', ({ params, response }) => {
      deleted.push(params.id)
      photos = photos.filter(({ id }) => id !== Number(params.id))
      return response(204).empty()
    }),
  )
  show()
  const [first] = await screen.findAllByRole('button', { name: 'Delete your photo of Pai' })
  if (!first) throw new Error('Nothing to delete')
  await userEvent.click(first)
  const question = within(await screen.findByRole('dialog', { name: 'Delete your photo of Pai?' }))
  expect(deleted).toEqual([])
  await userEvent.click(question.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(names()).toBe(1))
  expect(deleted).toEqual(['3'])
  await waitFor(() => expect(document.activeElement).not.toBe(document.body))
  await userEvent.click(screen.getByRole('button', { name: 'Load More' }))
  await waitFor(() => expect(names()).toBe(2))
  expect(screen.getByText('Photo 1')).toBeVisible()
})

it('keeps a photo whose deletion failed', async () => {
  photos = [ownPhotoOf(1)]
  server.use(
    http.delete('/api/v2/photos/{id}/', ({ response }) =>
      response.untyped(HttpResponse.json({ code: 'unavailable' }, { status: 503 })),
    ),
  )
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Delete your photo of Pai' }))
  const question = within(await screen.findByRole('dialog'))
  await userEvent.click(question.getByRole('button', { name: 'Delete' }))
  expect(await question.findByRole('alert')).toHaveTextContent('could not be reached')
  expect(screen.getByText('Photo 1')).toBeInTheDocument()
})

it('can be retried when it did not load', async () => {
  let isDown = true
  server.use(
    http.get('/api/v2/photos/me', ({ response }) =>
      isDown
        ? response.untyped(HttpResponse.json({ code: 'internal' }, { status: 500 }))
        : response(200).json({ results: [ownPhotoOf(1)], count: 1, next: null, server_time: AT }),
    ),
  )
  show()
  expect(await screen.findByText('This did not load')).toBeVisible()
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Published')).toBeVisible()
})
