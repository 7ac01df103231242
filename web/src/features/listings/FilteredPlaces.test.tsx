import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { AT } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { FilteredPlaces } from './FilteredPlaces'

withTestServer()

const FIXED = { type: 'cafes' }
let requests: string[] = []

beforeEach(() => {
  requests = []
  const none = { results: [], server_time: AT }
  server.use(
    http.get('/api/v2/neighbourhoods/', ({ response }) => response(200).json(none)),
    http.get('/api/v2/listing-types/', ({ response }) => response(200).json(none)),
    http.get('/api/v2/listings/', ({ request, response }) => {
      requests.push(new URL(request.url).search)
      return response(200).json({ ...none, count: 0, next: null })
    }),
  )
})

it('sorts by rating from the first place on; the address contains the order without a new entry in the history', async () => {
  const { router } = renderApp(<FilteredPlaces title="Cafés" fixed={FIXED} />, { at: '/cafes/' })
  const sort = await screen.findByLabelText('Sort')
  await waitFor(() => expect(requests).toEqual(['?ordering=-date_published&type=cafes']))

  await userEvent.selectOptions(sort, 'Best rated')
  await waitFor(() => expect(requests.at(-1)).toBe('?ordering=-rating&type=cafes'))
  expect(router.state.location.search).toEqual({ ordering: '-rating' })
  await userEvent.selectOptions(sort, 'Newest first')
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  expect(router.history.length).toBe(1)
})

it('searches with a new entry in the history, which Back undoes', async () => {
  const { router } = renderApp(<FilteredPlaces title="Cafés" fixed={FIXED} />, { at: '/cafes/' })
  const search = await screen.findByRole('searchbox')
  await userEvent.type(search, 'oak{Enter}')
  await waitFor(() => expect(router.state.location.search).toEqual({ keywords: 'oak' }))
  expect(router.history.length).toBe(2)
  act(() => router.history.back())
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

it('opens in the order of its address', async () => {
  renderApp(<FilteredPlaces title="Cafés" fixed={FIXED} />, { at: '/cafes/?ordering=-rating' })
  expect(await screen.findByLabelText('Sort')).toHaveDisplayValue('Best rated')
  await waitFor(() => expect(requests).toEqual(['?ordering=-rating&type=cafes']))
})

it('shows only places that are open now on request', async () => {
  const { router } = renderApp(<FilteredPlaces title="Cafés" fixed={FIXED} />, { at: '/cafes/' })
  await userEvent.selectOptions(await screen.findByLabelText('Hours'), 'Open now')
  await waitFor(() =>
    expect(requests.at(-1)).toBe('?open_now=1&ordering=-date_published&type=cafes'),
  )
  expect(router.state.location.search).toEqual({ open_now: '1' })
  await userEvent.click(await screen.findByRole('button', { name: 'Clear the filters' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})
