import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { FAVOURITE, savable } from './kinds'
import { logOut, post, register } from './reader'

test.use({ serviceWorkers: 'allow' })

interface Named {
  name: string
  share_url: string
}

/** The paths of the stored pages. */
function kept(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('pages:'))
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return keys.flat().map(({ url }) => new URL(url).pathname)
  })
}

test('after a visit, the front page, tonight and what was opened can be read offline', async ({
  page,
  context,
  request,
}) => {
  const [article] = await results<Named>(request, '/api/v2/articles/')
  if (!article) throw new Error('No articles')
  await page.goto('/news/')
  await expect.poll(() => kept(page)).toEqual(expect.arrayContaining(['/', '/tonight/', '/news/']))
  // The application opens this page without loading a document.
  await page.getByRole('main').getByRole('link', { name: article.name }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(article.name)
  await expect.poll(() => kept(page)).toContain(article.share_url)

  await context.setOffline(true)
  const title = page.getByRole('heading', { level: 1 })
  await page.goto('/tonight/')
  await expect(title).toHaveText(/^Tonight in /)
  await page.goto(article.share_url)
  await expect(title).toHaveText(article.name)
  await page.goto('/')
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
  // Followed by the application, the page is not loaded, but there is a copy.
  await page.getByRole('main').getByRole('link', { name: 'Tonight' }).first().click()
  await expect(title).toHaveText(/^Tonight in /)

  await page.goto('/contact/')
  await expect(title).toHaveText('You are offline')
  await page.getByRole('link', { name: article.name }).click()
  await expect(title).toHaveText(article.name)
})

test('saved places can be read offline until the reader signs out', async ({ page, request }) => {
  await register(page)
  const [place] = await savable(request, FAVOURITE, 1)
  if (!place) throw new Error('No places')
  await post(page, '/api/v2/favourites/', { listing: place.id })
  const path = place.share_url
  await page.goto('/videos/')
  await expect.poll(() => kept(page)).toContain(path)
  await logOut(page)
  await expect.poll(() => kept(page)).not.toContain(path)
})

test('the site can be installed', async ({ page, request }) => {
  await page.goto('/')
  const link = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await request.get(link ?? '')
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = (await answer.json()) as { name: string; icons: { src: string }[] }
  expect(manifest.name).toBe(
    await page.locator('meta[property="og:site_name"]').getAttribute('content'),
  )
  expect((await request.get(manifest.icons[0]?.src ?? '')).ok()).toBe(true)
})
