import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useQuery } from '@tanstack/react-query'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Profile } from '#/api/types'
import { queryClient } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { ROBIN } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { OwnPicture } from './OwnPicture'

withTestServer()

const PATH = '/api/v2/profiles/me/avatar/'
const FILE = new File(['data'], 'me.png', { type: 'image/png' })

let me: Profile = ROBIN

beforeEach(() => {
  me = ROBIN
  server.use(http.get('/api/v2/profiles/me/', ({ response }) => response(200).json(me)))
})

afterEach(() => {
  queryClient.clear()
})

function Mine() {
  const profile = useQuery(meOptions()).data
  return profile && <OwnPicture {...profile} />
}

const choose = async (file: File) =>
  userEvent.upload(await screen.findByLabelText(/(Choose a|Change your) picture/), file, {
    applyAccept: false,
  })
const shown = () => document.querySelector('img')?.getAttribute('src')

it('sets a picture in place of the initials, changes it and removes it', async () => {
  let number = 0
  server.use(
    http.post(PATH, ({ response }) => {
      number += 1
      return response(200).json({ avatar_url: `/media/${number}`, is_processing: false })
    }),
    http.delete(PATH, ({ response }) => response(204).empty()),
  )
  renderApp(<Mine />, { client: queryClient })
  expect(await screen.findByText('RA')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Remove your picture' })).toBeNull()
  await choose(FILE)
  await screen.findByText('Change your picture')
  expect(shown()).toBe('/media/1')
  await choose(FILE)
  await expect.poll(shown).toBe('/media/2')
  await userEvent.click(screen.getByRole('button', { name: 'Remove your picture' }))
  expect(await screen.findByText('RA')).toBeVisible()
  expect(screen.getByLabelText('Choose a picture')).toHaveFocus()
})

it('keeps the former picture, and says so, while the next one is made', async () => {
  me = { ...ROBIN, avatar_url: '/media/1' }
  server.use(
    http.post(PATH, ({ response }) =>
      response(200).json({ avatar_url: '/media/1', is_processing: true }),
    ),
  )
  renderApp(<Mine />, { client: queryClient })
  await choose(FILE)
  expect(await screen.findByText('Your picture is being made and will be here soon.')).toBeVisible()
  expect(shown()).toBe('/media/1')
})

it('shows the problem of a file, whether the page or the server finds it', async () => {
  let sent = 0
  server.use(
    http.post(PATH, ({ response }) => {
      sent += 1
      const body = { code: 'invalid', image: ['The picture ends too early.'] }
      return response.untyped(HttpResponse.json(body, { status: 400 }))
    }),
  )
  renderApp(<Mine />, { client: queryClient })
  await choose(new File(['data'], 'me.gif', { type: 'image/gif' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('not a JPEG, PNG or WebP')
  expect(sent).toBe(0)
  await choose(FILE)
  expect(await screen.findByText('The picture ends too early.')).toBeVisible()
})
