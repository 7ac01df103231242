import { expect, test } from '@playwright/test'
import { results } from './catalogue'

interface Video {
  name: string
  share_url: string
  source_url: string
  duration_seconds: number
  is_age_restricted: boolean
}

function shown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

test('videos are listed newest first, each with its length', async ({ page, request }) => {
  const all = await results<Video>(request, '/api/v2/videos/?limit=12')
  await page.goto('/videos/')
  const cards = page.locator('main article')
  await expect(cards.locator('h3')).toHaveText(all.map((video) => video.name))
  for (const [index, video] of all.entries()) {
    await expect(cards.nth(index)).toContainText(shown(video.duration_seconds))
  }
})

test('a video plays on its host’s site in another tab, and no request goes there before', async ({
  page,
  context,
  request,
}) => {
  const all = await results<Video>(request, '/api/v2/videos/?limit=100')
  const video = all.find((one) => !one.is_age_restricted)
  if (!video) throw new Error('No video for everybody')
  const elsewhere: string[] = []
  await context.route(
    (url) => url.origin === new URL(video.source_url).origin,
    (route) => {
      elsewhere.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: '<title>Player</title>' })
    },
  )
  await page.goto(video.share_url)
  await expect(page.getByRole('heading', { level: 1, name: video.name })).toBeVisible()
  const play = page.getByRole('link', { name: `Play ${video.name}` })
  await expect(play).toBeVisible()
  await expect(page.getByRole('heading', { name: 'More to watch' })).toBeVisible()
  await expect(page.locator('main section').getByRole('link', { name: video.name })).toHaveCount(0)
  expect(elsewhere).toEqual([])

  const opened = context.waitForEvent('page')
  await play.focus()
  await page.keyboard.press('Enter')
  const player = await opened
  await expect(player).toHaveTitle('Player')
  expect(elsewhere).toEqual([video.source_url])
  expect(await player.evaluate(() => [window.opener === null, document.referrer])).toEqual([
    true,
    '',
  ])
})
