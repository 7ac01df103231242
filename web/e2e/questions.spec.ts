import { expect, test, type Locator, type Page } from '@playwright/test'
import { FAVOURITE, savable } from './kinds'
import { post, register } from './reader'

test.use({ viewport: { width: 360, height: 760 } })

/** Taps these controls, at most two, from the front page. */
async function tap(page: Page, ...controls: readonly [Locator, Locator?]): Promise<void> {
  await page.goto('/')
  for (const control of controls) await control?.click()
}

const title = (page: Page) => page.getByRole('heading', { level: 1 })

test('a reader finds what is on tonight, and what is open to eat at now, in two taps', async ({
  page,
}) => {
  const tonight = page.getByRole('link', { name: 'Tonight' }).first()
  await tap(page, tonight)
  await expect(title(page)).toHaveText(/^Tonight in /)
  await expect(page.getByRole('heading', { name: 'What’s on' })).toBeInViewport()

  await tap(page, tonight, page.getByRole('link', { name: 'Restaurants', exact: true }).first())
  await expect(page).toHaveURL(/\/tonight\/\?type=restaurants$/)
  await expect(page.getByRole('heading', { name: /^Open now/ })).toBeVisible()
})

test('a reader finds what was said about a place in one tap, and the news in two', async ({
  page,
}) => {
  const card = page.getByRole('main').getByRole('article').first()
  await tap(page, card.getByRole('link'))
  await expect(page.getByRole('main').locator('[class*=Prose] p').first()).toBeInViewport()

  const menu = page.getByRole('dialog').getByRole('navigation', { name: 'Menu' })
  await tap(
    page,
    page.getByRole('button', { name: 'Menu', exact: true }),
    menu.getByRole('button', { name: 'Latest News' }),
  )
  await expect(menu.getByRole('link', { name: 'All News', exact: true })).toBeInViewport()
})

test('a reader finds what was saved in two taps', async ({ page, request }) => {
  const [place] = await savable(request, FAVOURITE, 1)
  if (!place) throw new Error('No places')
  await register(page)
  await post(page, '/api/v2/favourites/', { listing: place.id })
  const account = page.getByRole('button', { name: 'Your account', exact: true })
  await tap(page, account, page.getByRole('link', { name: 'Favourites', exact: true }))
  await expect(page.getByRole('main').getByRole('link', { name: place.name }).first()).toBeVisible()
})
