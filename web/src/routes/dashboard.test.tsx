import { act, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { queryClient, session } from '#/features/session/current'
import { NO_COUNTS } from '../../test/counts'
import { AT, ROBIN, sessionsPage, THIS_DEVICE } from '../../test/reader'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'
import { DashboardPage } from './dashboard'

withTestServer()

async function show(hash: string, sections: Record<string, boolean>): Promise<void> {
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
    http.get('/api/v2/profiles/me/', ({ response }) => response(200).json(ROBIN)),
    http.get('/api/v2/profiles/me/sessions/', ({ response }) =>
      response(200).json(sessionsPage(THIS_DEVICE)),
    ),
    http.get('/api/v2/profiles/me/dashboard/', ({ response }) =>
      response(200).json({ ...NO_COUNTS, favourites: 3 }),
    ),
    http.get('/api/v2/favourites/', ({ response }) =>
      response(200).json({ results: [], count: 0, next: null, server_time: AT }),
    ),
  )
  document.cookie = 'signed_in=1'
  await session.start()
  renderApp(<DashboardPage />, {
    site: { sections },
    at: `/accounts/dashboard#${hash}`,
    client: queryClient,
  })
}

afterEach(() => {
  act(() => session.end())
  queryClient.clear()
})

const menu = async () =>
  (await screen.findAllByRole('link'))
    .map((link) => link.getAttribute('href') ?? '')
    .filter((href) => href.startsWith('/accounts/dashboard#'))

it('shows the section that the hash names', async () => {
  await show('/favourites/', { listings: true })
  expect(await screen.findByText('You have no favourites yet.')).toBeVisible()
})

it('shows the counts of saved things', async () => {
  await show('/home/', { listings: true })
  expect(await screen.findByText('Hello, Robin')).toBeVisible()
  expect(await screen.findByRole('link', { name: '3 Favourites' })).toBeVisible()
})

it('shows newsletters first, and the reader’s photos after the rated places', async () => {
  await show('/home/', { listings: true })
  expect(await screen.findByText('Hello, Robin')).toBeVisible()
  expect((await menu()).slice(0, 9).map((href) => href.split('#')[1])).toEqual([
    '/home/',
    '/newsletter/',
    '/favourites/',
    '/todos/',
    '/articles/',
    '/videos/',
    '/events/',
    '/ratings/',
    '/photos/',
  ])
})

it('shows nothing of a section that is off', async () => {
  await show('/favourites/', { listings: false, events: false, videos: false })
  expect(await screen.findByText('Hello, Robin')).toBeVisible()
  expect(await menu()).toEqual([
    '/accounts/dashboard#/home/',
    '/accounts/dashboard#/newsletter/',
    '/accounts/dashboard#/articles/',
    '/accounts/dashboard#/articles/',
  ])
  expect(screen.queryByText(/favourite/i)).toBeNull()
})
