import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import createClient from 'openapi-fetch'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { paths } from '#/api/schema'

/**
 * The smallest application with the libraries of the site's first page: one route, one heading, and
 * the API client that would fetch the heading without its initial data.
 */
const api = createClient<paths>({ baseUrl: '/' })

function Heading() {
  const { data } = useQuery({
    queryKey: ['name'],
    queryFn: async () => (await api.GET('/api/v2/site/')).data?.name,
    initialData: 'An empty application',
    staleTime: Infinity,
  })
  return <h1>{data}</h1>
}

const root = createRootRoute({ component: Outlet })
const home = createRoute({ getParentRoute: () => root, path: '/', component: Heading })
const router = createRouter({ routeTree: root.addChildren([home]) })

const container = document.getElementById('root')
if (container) {
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
