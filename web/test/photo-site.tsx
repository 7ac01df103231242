import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { ListingDetail, Site } from '#/api/types'
import { closeDialogs } from '#/features/auth/dialogs'
import { queryClient, session } from '#/features/session/current'
import { siteOptions } from '#/features/site/site'
import { routeTree } from '#/routes/tree'
import { SITE } from './app-around'
import { ownPhotoOf, pageOfPhotos, photoOf, photosFrom, PLACE } from './photos'
import { AT, ROBIN } from './reader'
import { http, server, withTestServer } from './server'

/** The path of the place. */
export const PATH = PLACE.share_url
export const at = (id: number): string => `${PATH}photos/${id}`

const LISTING: ListingDetail = {
  ...PLACE,
  is_closed: false,
  type: {
    id: 1,
    name: 'Restaurants',
    name_singular: 'Restaurant',
    share_url: '/restaurants/',
    is_food: true,
    is_age_restricted: false,
  },
  appears_in_best_of_lists: [],
  voters: 0,
  hours: [],
  review: null,
  server_time: AT,
}

/** The server's state and requests; each test begins with 20 photos of an open place. */
export const photoSite = {
  /** The ids of the place's photos, newest first. */
  all: [] as number[],
  asked: [] as string[],
  place: LISTING,
}

/** Serves a place with photos in every test of the file. The reader owns photo 2. */
export function withPhotoSite(): void {
  withTestServer()

  beforeEach(() => {
    Object.assign(photoSite, { all: photosFrom(1, 20), asked: [], place: LISTING })
    const site = {
      ...{ name: 'A City', city: 'Toronto', sections: { listings: true }, navigation: [] },
      ...{ article_sections: [], newsletters: [], footer: [], social: [], start_year: 2004 },
      ads: { slots: [] },
      timezone: 'America/Toronto',
      consent: SITE.consent,
    }
    queryClient.setQueryData(siteOptions().queryKey, site as unknown as Site)
    server.use(
      http.get('/api/v2/profiles/status/', ({ response }) =>
        response(200).json({ id: 7, server_time: AT }),
      ),
      http.get('/api/v2/profiles/me/', ({ response }) => response(200).json(ROBIN)),
      http.get('/api/v2/resolve/', ({ request, response }) => {
        const path = new URL(request.url).searchParams.get('path')
        if (path !== PATH) {
          return response.untyped(HttpResponse.json({ detail: 'Not found.' }, { status: 404 }))
        }
        return response.untyped(
          HttpResponse.json({ kind: 'listing', id: PLACE.id, canonical: PATH }),
        )
      }),
      http.get('/api/v2/listings/{id}/', ({ response }) =>
        response.untyped(
          HttpResponse.json({ ...photoSite.place, photos: pageOfPhotos(photoSite.all, 0, 5) }),
        ),
      ),
      http.get('/api/v2/photos/', ({ request, response }) => {
        const query = new URL(request.url).searchParams
        photoSite.asked.push(new URL(request.url).search)
        const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit'))]
        return response(200).json(pageOfPhotos(photoSite.all, offset, limit))
      }),
      http.get('/api/v2/photos/{id}/', ({ params, response }) => {
        photoSite.asked.push(`photos/${params.id}/`)
        const position = photoSite.all.indexOf(Number(params.id))
        if (position < 0) {
          return response.untyped(HttpResponse.json({ detail: 'Not found.' }, { status: 404 }))
        }
        return response(200).json({
          ...photoOf(Number(params.id)),
          ...{ index: position + 1, total: photoSite.all.length },
        })
      }),
      http.get('/api/v2/photos/me', ({ request, response }) => {
        const isOwn = new URL(request.url).searchParams.get('ids') === '2'
        const results = isOwn ? [ownPhotoOf(2)] : []
        return response(200).json({ results, count: -1, next: null, server_time: AT })
      }),
    )
  })

  afterEach(() => {
    act(() => {
      closeDialogs()
      session.end()
    })
    queryClient.clear()
  })
}

export async function visit(address: string, { before = [] as string[], isMember = false } = {}) {
  document.cookie = isMember ? 'signed_in=1' : 'signed_in=; Max-Age=0'
  await session.start()
  const router = createRouter({
    routeTree,
    history: createMemoryHistory({ initialEntries: [...before, address] }),
    trailingSlash: 'preserve',
    notFoundMode: 'root',
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await vi.waitFor(() => expect(router.state.status).toBe('idle'), 10_000)
  return router
}

/** The links of the thumbnails. */
export async function thumbnailLinks(): Promise<HTMLElement[]> {
  const region = await screen.findByRole('region', { name: 'Photos' })
  return within(region).getAllByRole('link', { name: /^Photo / })
}
