import { onlineManager, useQuery } from '@tanstack/react-query'
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ApiError } from '#/lib/http'
import { deferred } from '../../test/deferred'
import { renderApp } from '../../test/render-app'
import { LoadedPage } from './LoadedPage'

function Page({ load }: { load: () => Promise<string> }) {
  const query = useQuery({ queryKey: ['page'], queryFn: load, retry: false })
  return (
    <LoadedPage query={query} skeleton={<p>Loading</p>}>
      {(text) => <p>{text}</p>}
    </LoadedPage>
  )
}

it('shows the skeleton, then the data', async () => {
  const answer = deferred<string>()
  renderApp(<Page load={() => answer.promise} />)
  expect(await screen.findByText('Loading')).toBeVisible()
  answer.resolve('Ready')
  expect(await screen.findByText('Ready')).toBeVisible()
  expect(screen.queryByText('Loading')).toBeNull()
})

it('shows a notice instead of the skeleton without a network, and the data once there is one', async () => {
  onlineManager.setOnline(false)
  renderApp(<Page load={() => Promise.resolve('Ready')} />)
  expect(await screen.findByText('This has not loaded yet')).toBeVisible()
  expect(screen.queryByText('Loading')).toBeNull()
  act(() => onlineManager.setOnline(true))
  expect(await screen.findByText('Ready')).toBeVisible()
})

it('shows that the page does not exist if the server answers 404', async () => {
  renderApp(<Page load={() => Promise.reject(new ApiError(404))} />)
  expect(await screen.findByText('There is nothing at this address')).toBeVisible()
})

it('keeps the data when a refetch fails', async () => {
  const load = vi.fn<() => Promise<string>>()
  load.mockResolvedValueOnce('Ready').mockRejectedValueOnce(new ApiError(503))
  const { client } = renderApp(<Page load={load} />)
  expect(await screen.findByText('Ready')).toBeVisible()
  await client.refetchQueries()
  expect(load).toHaveBeenCalledTimes(2)
  expect(screen.getByText('Ready')).toBeVisible()
})

it('offers a retry after any other error', async () => {
  const load = vi.fn<() => Promise<string>>()
  load.mockRejectedValueOnce(new ApiError(500)).mockResolvedValueOnce('Ready')
  renderApp(<Page load={load} />)
  expect(await screen.findByText('The server said: 500 Internal Server Error.')).toBeVisible()
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Ready')).toBeVisible()
})
