import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { at, PATH, thumbnailLinks, visit, withPhotoSite, photoSite } from '../../test/photo-site'
import { pageOfPhotos } from '../../test/photos'
import { http, server } from '../../test/server'

withPhotoSite()

describe('the photos of a place', () => {
  it('are five at first, and six more with each Load More', async () => {
    await visit(PATH)
    await waitFor(async () => expect(await thumbnailLinks()).toHaveLength(5))
    expect(photoSite.asked).toEqual([])
    for (const count of [11, 17, 20]) {
      await userEvent.click(screen.getByRole('button', { name: 'Load More' }))
      await waitFor(async () => expect(await thumbnailLinks()).toHaveLength(count))
    }
    expect(photoSite.asked).toEqual(
      [5, 11, 17].map((offset) => `?limit=6&listing=9&offset=${offset}`),
    )
    expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull()
    expect((await thumbnailLinks())[0]).toHaveAttribute('href', at(1))
  })

  it('ask for the first one where there is none', async () => {
    photoSite.all = []
    await visit(PATH)
    const region = await screen.findByRole('region', { name: 'Photos' })
    expect(region).toHaveTextContent('There are no user photos yet. Add the first photo')
    const upload = `${PATH}photos/upload/`
    expect(within(region).getByRole('link', { name: 'Upload a Photo' })).toHaveAttribute(
      'href',
      upload,
    )
    expect(within(region).getByRole('link', { name: 'Add the first photo' })).toHaveAttribute(
      'href',
      upload,
    )
  })

  it('accept no more at a closed place', async () => {
    photoSite.place = { ...photoSite.place, is_closed: true }
    await visit(PATH)
    await waitFor(async () => expect(await thumbnailLinks()).toHaveLength(5))
    expect(screen.queryByRole('link', { name: 'Upload a Photo' })).toBeNull()
  })

  it('are fetched if they did not come with the place, and can be retried', async () => {
    let isDown = true
    server.use(
      http.get('/api/v2/listings/{id}/', ({ response }) => response(200).json(photoSite.place)),
      http.get('/api/v2/photos/', ({ request, response }) => {
        photoSite.asked.push(new URL(request.url).search)
        return isDown
          ? response.untyped(HttpResponse.json({ code: 'internal' }, { status: 500 }))
          : response(200).json(pageOfPhotos(photoSite.all, 0, 5))
      }),
    )
    await visit(PATH)
    expect(await screen.findByText('The photos did not load')).toBeVisible()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(async () => expect(await thumbnailLinks()).toHaveLength(5))
    expect(photoSite.asked).toEqual(['?limit=5&listing=9', '?limit=5&listing=9'])
  })
})

describe('the upload page', () => {
  const UPLOAD = `${PATH}photos/upload/`

  it('redirects a guest to the log-in page, and back', async () => {
    const router = await visit(UPLOAD)
    expect(router.state.location.pathname).toBe('/accounts/login')
    expect(router.state.location.search).toEqual({ next: UPLOAD })
  })

  it('opens for a reader', async () => {
    await visit(UPLOAD, { isMember: true })
    expect(await screen.findByRole('heading', { level: 1, name: 'Upload photos' })).toBeVisible()
    expect(screen.getByText('Choose photos')).toBeVisible()
  })

  it.each([true, false])('accepts nothing for a closed place (signed in: %s)', async (isMember) => {
    photoSite.place = { ...photoSite.place, is_closed: true }
    await visit(UPLOAD, { isMember })
    expect(await screen.findByText('This place has closed')).toBeVisible()
    expect(screen.queryByText('Choose photos')).toBeNull()
  })

  it('is not found for a place that does not exist, before a log-in', async () => {
    await visit('/restaurants/nowhere/photos/upload/')
    expect(await screen.findByText('There is nothing at this address')).toBeVisible()
  })
})
