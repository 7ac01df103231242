import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Site } from '#/api/types'
import { SiteContext } from '#/features/site/site'
import { makeQueryClient } from '#/lib/query-client'

export const SITE = {
  name: 'A City',
  timezone: 'America/Toronto',
  legal_age: 19,
  passkeys: false,
  has_calendars: false,
  facebook: false,
  sections: {},
  article_sections: [],
  newsletters: [],
  ads: { slots: [] },
  consent: { asks: false, wording: 'Others may learn of you.', version: '1' },
}

export interface Options {
  /** The differences from the test's default settings. */
  site?: Partial<Site>
  /** The address of the visit. */
  at?: string
  /** The route that the page is rendered at; any but the front page by default. */
  path?: string
  /** The application's own client if the tested code uses it; a new one by default. */
  client?: QueryClient
}

/** A page, or a part of one, inside the application's frame and providers. */
export function appAround(
  page: ReactNode,
  { site, at = '/page/', path = '/$', client = makeQueryClient() }: Options = {},
) {
  const root = createRootRoute({ component: Outlet })
  const parent = { getParentRoute: () => root }
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ ...parent, path: '/', component: () => <p>the front</p> }),
      createRoute({ ...parent, path, component: () => page }),
    ]),
    history: createMemoryHistory({ initialEntries: [at] }),
    trailingSlash: 'preserve',
  })
  const element = (
    <QueryClientProvider client={client}>
      <SiteContext value={{ ...SITE, ...site } as Site}>
        <RouterProvider router={router as never} />
      </SiteContext>
    </QueryClientProvider>
  )
  return { element, router, client }
}
