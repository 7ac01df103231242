import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createBrowserHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, render, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { LeaveQuestion } from './LeaveQuestion'

const isBusy = () => true

it('asks at Back, and another Back closes the question and stays', async () => {
  const history = createBrowserHistory()
  for (const page of ['/first/', '/place/', '/upload/']) {
    history.push(page)
    history.flush()
  }
  const routeTree = createRootRoute({ component: () => <LeaveQuestion isBusy={isBusy} /> })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createRouter({ routeTree, history }) as never} />
    </QueryClientProvider>,
  )
  await act(async () => window.history.go(-1))
  expect(await screen.findByRole('alertdialog')).toBeVisible()
  await act(async () => window.history.go(-1))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await waitFor(() => expect(window.location.pathname).toBe('/upload/'))
  history.destroy()
})
