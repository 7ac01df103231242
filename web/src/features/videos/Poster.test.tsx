import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Video } from '#/api/types'
import { renderApp } from '../../../test/render-app'
import { Poster } from './Poster'

const video: Video = {
  id: 9,
  name: 'Ninety-one steps',
  share_url: '/videos/ninety-one-steps/',
  excerpt: '',
  is_age_restricted: false,
  authors: [],
  tags: [],
  source_url: 'https://www.video.example/ninety-one-steps',
  source_host: 'video.example',
  duration_seconds: 73,
  duration: '1:13',
  duration_spoken: '1 minute 13 seconds',
}

it('links to the video’s host, in a tab without access to this one', async () => {
  renderApp(<Poster video={video} />)
  const play = await screen.findByRole('link', {
    name: 'Play Ninety-one steps, 1 minute 13 seconds on video.example in a new tab',
  })
  expect(play).toHaveAttribute('href', video.source_url)
  expect(play).toHaveAttribute('target', '_blank')
  expect(play).toHaveAttribute('rel', 'noopener noreferrer')
})

it.each([
  ['none, as before consent', ''],
  ['a script', 'javascript:alert(1)'],
])('is only a still if the address is %s', async (_, source_url) => {
  renderApp(
    <>
      <Poster video={{ ...video, source_url, source_host: null }} />
      <p>the page</p>
    </>,
  )
  expect(await screen.findByText('the page')).toBeVisible()
  expect(screen.queryByRole('link')).toBeNull()
})
