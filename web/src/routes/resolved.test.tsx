import { onlineManager } from '@tanstack/react-query'
import { act, screen } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { Site } from '#/api/types'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'
import { FirstPage } from './resolved'

withTestServer()

let requests: string[] = []

beforeEach(() => {
  requests = []
  server.use(
    http.get('/api/v2/articles/', ({ request, response }) => {
      requests.push(new URL(request.url).search)
      const page = { results: [], count: 0, next: null, server_time: '2026-11-20T18:00:00.000Z' }
      return response(200).json(page)
    }),
    http.get('/api/v2/resolve/', ({ request, response }) => {
      requests.push(new URL(request.url).search)
      return response.untyped(HttpResponse.json({ detail: 'Not found.' }, { status: 404 }))
    }),
  )
})

function visit(path: string, hasArticles: boolean): void {
  const site = {
    name: 'A City',
    city: 'Toronto',
    sections: { articles: hasArticles, listings: false, neighbourhoods: false },
    article_sections: [
      { slug: 'news', name: 'News' },
      { slug: 'food', name: 'Food' },
    ],
    newsletters: [],
  } as unknown as Site
  renderApp(<FirstPage />, { site, at: path, path: '/$first/' })
}

it.each([
  ['/food/', 'Food', '?ordering=-date_published&section=food'],
  // "All News": the articles of all sections.
  ['/news/', 'News', '?ordering=-date_published'],
])('shows the section %s without resolving its path', async (path, name, request) => {
  visit(path, true)
  expect(await screen.findByRole('heading', { level: 1, name })).toBeVisible()
  expect(await screen.findByText('No articles here yet')).toBeVisible()
  expect(requests).toEqual([request])
})

it('requests no articles while articles are off', async () => {
  visit('/news/', false)
  expect(await screen.findByText('There is nothing at this address')).toBeVisible()
  expect(requests).toEqual(['?path=%2Fnews%2F'])
})

it('shows a notice while the path cannot be resolved without a network', async () => {
  act(() => onlineManager.setOnline(false))
  visit('/nowhere/', true)
  expect(await screen.findByText('This has not loaded yet')).toBeVisible()
  expect(screen.queryByRole('group', { name: /^Loading/ })).toBeNull()
  act(() => onlineManager.setOnline(true))
  expect(await screen.findByText('There is nothing at this address')).toBeVisible()
})

it('resolves any other one-word path', async () => {
  visit('/nowhere/', true)
  expect(await screen.findByText('There is nothing at this address')).toBeVisible()
  expect(requests).toEqual(['?path=%2Fnowhere%2F'])
})
