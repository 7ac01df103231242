import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient, session } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { AT, ROBIN } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { ProfilePanel } from './ProfilePanel'

withTestServer()

it('links to the sections of the dashboard, newsletters included', async () => {
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
  )
  document.cookie = 'signed_in=1'
  await session.start()
  queryClient.setQueryData(meOptions().queryKey, ROBIN)
  renderApp(<ProfilePanel />, { client: queryClient })
  expect(await screen.findByText('Logged in as Robin Ames')).toBeVisible()
  const links = screen
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')])
  expect(links.slice(0, 3)).toEqual([
    ['Your dashboard', '/accounts/dashboard#/home/'],
    ['Newsletters', '/accounts/dashboard#/newsletter/'],
    ['Favourites', '/accounts/dashboard#/favourites/'],
  ])
  act(() => session.end())
})
