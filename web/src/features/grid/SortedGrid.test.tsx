import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Contest } from '#/api/types'
import { AT } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { SortedGrid } from './SortedGrid'

withTestServer()

function contest(id: number): Contest {
  return {
    id,
    name: `Contest ${id}`,
    share_url: `/contests/${id}/`,
    excerpt: '',
    is_age_restricted: false,
    authors: [],
    tags: [],
    has_closed: false,
    question: '',
    rules: '',
  }
}

it.each([
  [4, '/contests/', 'no'],
  [5, '/contests/', 'a'],
  [4, '/contests/?ordering=name', 'a'],
])('a list of %i at %s has %s search', async (count, at, has) => {
  const results = Array.from({ length: count }, (_, index) => contest(index + 1))
  server.use(
    http.get('/api/v2/contests/', ({ response }) =>
      response(200).json({ results, count, next: null, server_time: AT }),
    ),
  )
  renderApp(
    <SortedGrid
      title="Contests"
      unit={['contest', 'contests']}
      path="/api/v2/contests/"
      orderings={[
        { value: '-date_published', label: 'Newest first' },
        { value: 'name', label: 'Name' },
      ]}
    >
      {({ name }) => name}
    </SortedGrid>,
    { at },
  )
  expect(await screen.findByText('Contest 4')).toBeVisible()
  expect(screen.queryAllByRole('search')).toHaveLength(has === 'a' ? 1 : 0)
})
