import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Site } from '#/api/types'
import { authDialogs, closeDialogs } from '#/features/auth/dialogs'
import { queryClient, session } from '#/features/session/current'
import { siteOptions } from '#/features/site/site'
import { NO_COUNTS } from '../../test/counts'
import { SITE } from '../../test/app-around'
import { AT, ROBIN, sessionsPage, THIS_DEVICE } from '../../test/reader'
import { http, server, withTestServer } from '../../test/server'
import { leaveWhenSignedOut } from './guards'
import { FIXED_PAGES } from './table'
import { routeTree } from './tree'

withTestServer()

function site(sections: Record<string, boolean>): void {
  const settings = {
    ...{ name: 'A City', city: 'Toronto', sections, navigation: [], article_sections: [] },
    ...{ newsletters: [], footer: [], social: [], start_year: 2004, timezone: 'America/Toronto' },
    consent: SITE.consent,
  }
  queryClient.setQueryData(siteOptions().queryKey, settings as unknown as Site)
}

async function visit(address: string, isMember = false) {
  document.cookie = isMember ? 'signed_in=1' : 'signed_in=; Max-Age=0'
  await session.start()
  const router = createRouter({
    routeTree,
    history: createMemoryHistory({ initialEntries: [address] }),
    trailingSlash: 'preserve',
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await vi.waitFor(() => expect(router.state.status).toBe('idle'), 10_000)
  return router
}

beforeEach(() => {
  site({ listings: true })
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
    http.get('/api/v2/favourites/', () => new Promise<never>(() => {})),
  )
})

afterEach(() => {
  act(() => {
    closeDialogs()
    session.end()
  })
  queryClient.clear()
})

it('redirects a guest from the dashboard to the log-in page, with the section', async () => {
  const router = await visit('/accounts/dashboard#/favourites/')
  expect(router.state.location.pathname).toBe('/accounts/login')
  expect(router.state.location.search).toEqual({ next: '/accounts/dashboard#/favourites/' })
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(/^Log in/)
  expect(authDialogs.get()).toMatchObject({
    open: 'login',
    next: '/accounts/dashboard#/favourites/',
  })
})

it('redirects a reader from the log-in page to the requested page', async () => {
  const router = await visit('/accounts/login?next=%2Fcontact%2F', true)
  expect(router.state.location.href).toBe('/contact/')
})

it('never redirects to another site', async () => {
  const router = await visit('/accounts/login?next=%2F%2Felsewhere.example%2F', true)
  expect(router.state.location.href).toBe('/accounts/dashboard#/home/')
  expect(await screen.findByText('Hello, Robin')).toBeVisible()
})

it('leaves the dashboard when the session ends', async () => {
  const router = await visit('/accounts/dashboard#/home/', true)
  leaveWhenSignedOut(router as never)
  expect(await screen.findByText('Hello, Robin')).toBeVisible()
  act(() => session.end())
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/accounts/login'), 10_000)
  expect(screen.queryByText('Hello, Robin')).toBeNull()
})

const OF_SECTIONS = FIXED_PAGES.flatMap(({ path, section }) =>
  section === null ? [] : [[path, section] as const],
)

it.each(OF_SECTIONS)(
  'shows that %s is not found while %s is off, inside the frame',
  async (path, section) => {
    site({ listings: true, [section]: false })
    await visit(path)
    expect(await screen.findByText('There is nothing at this address')).toBeVisible()
    expect(screen.getByRole('contentinfo')).toBeVisible()
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).not.toContain(path)
  },
)

it('opens the sign-up dialog rather than the log-in dialog if the address contains it', async () => {
  await visit('/accounts/login?signupDialogActive')
  expect(authDialogs.get().open).toBeNull()
})
