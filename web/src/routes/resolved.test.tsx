import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { Site } from '#/api/types'
import { SiteContext } from '#/features/site/site'
import { makeQueryClient } from '#/lib/query-client'
import { http, server, withTestServer } from '../../test/server'
import { FirstPage } from './resolved'

withTestServer()

let asked: string[] = []

beforeEach(() => {
  asked = []
  server.use(
    http.get('/api/v2/articles/', ({ request, response }) => {
      asked.push(new URL(request.url).search)
      const page = { results: [], count: 0, next: null, server_time: '2026-11-20T18:00:00.000Z' }
      return response(200).json(page)
    }),
    http.get('/api/v2/resolve/', ({ request, response }) => {
      asked.push(new URL(request.url).search)
      return response.untyped(HttpResponse.json({ detail: 'Not found.' }, { status: 404 }))
    }),
  )
})

function visit(path: string, hasArticles: boolean): void {
  const site = {
    name: 'A City',
    city: 'Toronto',
    sections: { articles: hasArticles, listings: false, neighbourhoods: false },
    article_sections: [{ slug: 'news', name: 'News' }],
  } as unknown as Site
  const root = createRootRoute({ component: Outlet })
  const first = createRoute({
    getParentRoute: () => root,
    path: '/$first/',
    component: FirstPage,
  })
  const router = createRouter({
    routeTree: root.addChildren([first]),
    history: createMemoryHistory({ initialEntries: [path] }),
    trailingSlash: 'preserve',
  })
  render(
    <SiteContext value={site}>
      <QueryClientProvider client={makeQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </SiteContext>,
  )
}

it('shows a section of articles without asking what stands at its path', async () => {
  visit('/news/', true)
  expect(await screen.findByRole('heading', { level: 1, name: 'News' })).toBeVisible()
  expect(await screen.findByText('No articles here yet')).toBeVisible()
  expect(asked).toEqual(['?ordering=-date_published&section=news'])
})

it('asks for no articles where articles are switched off', async () => {
  visit('/news/', false)
  expect(await screen.findByText('There is nothing at this address')).toBeVisible()
  expect(asked).toEqual(['?path=%2Fnews%2F'])
})

it('asks what stands at any other word', async () => {
  visit('/nowhere/', true)
  expect(await screen.findByText('There is nothing at this address')).toBeVisible()
  expect(asked).toEqual(['?path=%2Fnowhere%2F'])
})
