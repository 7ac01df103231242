import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { stopClock } from './clock'
import { axe } from './layout'
import { holdRequests, pageLoaded } from './requests'

const searchButton = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: 'Search' })
const panel = (page: Page) => page.getByRole('dialog', { name: 'What cha looking for?' })
const box = (page: Page) => panel(page).getByRole('combobox', { name: 'Search for' })

async function open(page: Page): Promise<void> {
  await page.goto('/contact/')
  await searchButton(page).click()
  await expect(box(page)).toBeFocused()
}

test('text that is typed while the search opens is in its box', async ({ page }) => {
  await page.clock.install()
  await page.goto('/contact/')
  await searchButton(page).hover()
  await pageLoaded(page)
  // The search opens a moment later, after the reader has typed.
  await stopClock(page)
  await searchButton(page).click()
  await page.keyboard.type('ramen bar')
  await expect(box(page)).toHaveCount(0)
  await page.clock.resume()
  await expect(box(page)).toHaveValue('ramen bar')
  await expect(box(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=ramen\+bar$/)
})

test('white space is no search, and Escape, Cancel and Close hide the search and return the focus', async ({
  page,
}) => {
  await open(page)
  await box(page).press('Enter')
  await box(page).fill('   ')
  await panel(page).getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL(/\/contact\/$/)
  await expect(panel(page).getByRole('heading', { name: 'What cha looking for?' })).toBeVisible()
  const categories = ['All', 'Best of', 'Articles', 'Places', 'Events', 'Videos']
  await expect(panel(page).getByRole('group').locator('label')).toHaveText(categories)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(searchButton(page)).toBeFocused()
  for (const name of ['Cancel', 'Close']) {
    await searchButton(page).click()
    await panel(page).getByRole('button', { name, exact: true }).click()
    await expect(panel(page)).toHaveCount(0)
    await expect(searchButton(page)).toBeFocused()
  }
})

test('a search of everything goes to /search?q=, and every character survives', async ({
  page,
}) => {
  await open(page)
  const searchRequest = page.waitForRequest((request) => request.url().includes('/api/v2/search/?'))
  await box(page).fill('a & b + c # d')
  await box(page).press('Enter')
  expect(new URL((await searchRequest).url()).searchParams.get('q')).toBe('a & b + c # d')
  await expect(page).toHaveURL(/\/search\?q=a\+%26\+b\+%2B\+c\+%23\+d$/)
  await expect(panel(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Results for “a & b + c # d”')
  await expect(page.getByRole('heading', { name: 'Nothing matches that' })).toBeVisible()
})

test('the heading contains the question before the code of the results has loaded', async ({
  page,
}) => {
  await page.clock.install()
  const release = await holdRequests(page, /\/assets\/search-[^/]*\.js$/)
  await open(page)
  await box(page).fill('ramen')
  await box(page).press('Enter')
  await expect(page).toHaveURL(/\/search\?q=ramen$/)
  await page.clock.runFor(2000)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Results for “ramen”')
  await expect(page.getByRole('group', { name: 'Loading results' })).toBeVisible()
  release()
  await expect(page.locator('main article h3').first()).toBeVisible()
})

test('the results name each kind that matches and link to all of it', async ({ page, request }) => {
  const [place] = await results<{ name: string; share_url: string }>(
    request,
    '/api/v2/listings/?limit=1',
  )
  await page.goto(`/search?q=${encodeURIComponent(place?.name ?? '')}`)
  const places = page
    .locator('main section')
    .filter({ has: page.getByRole('heading', { level: 2, name: 'Places' }) })
  await expect(places.locator('h3').first()).toHaveText(place?.name ?? '')
  await places.getByRole('link', { name: 'All places that match' }).click()
  await expect(page).toHaveURL(/\/search\?category=places&q=/)
  await expect(page.locator('main article h3').first()).toHaveText(place?.name ?? '')
})

test('a search of one category finds nothing else', async ({ page }) => {
  await open(page)
  await panel(page).getByRole('radio', { name: 'Articles', exact: true }).check()
  await box(page).fill(' the ')
  await box(page).press('Enter')
  const kinds = page.getByRole('navigation', { name: 'Kinds of results' })
  // `search.rs` tests the other kinds.
  for (const [category, slug] of [
    ['Articles', 'articles'],
    ['Best of', 'best-of'],
  ] as const) {
    if (slug !== 'articles') await page.goto(`/search?category=${slug}&q=the`)
    await expect(page).toHaveURL(new RegExp(`/search\\?category=${slug}&q=the$`))
    await expect(kinds.locator('[aria-current]')).toHaveText(category)
    await expect(page.locator('main article h3').first()).toBeVisible()
    await expect(page.locator('main').getByRole('searchbox')).toHaveValue('the')
  }
})

test('suggestions are reached by arrow keys and by touch', async ({ page }) => {
  await open(page)
  await box(page).pressSequentially('longw')
  const option = panel(page).getByRole('option', { name: 'Longwave Place' })
  await expect(option).toBeVisible()
  await box(page).press('ArrowDown')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await box(page).press('Enter')
  await expect(page).toHaveURL(/\/bars\/longwave\/$/)
  // The previous panel is closing for a moment, and its box would take the letters.
  await expect(panel(page)).toHaveCount(0)
  await searchButton(page).click()
  await box(page).pressSequentially('bars in park')
  await panel(page).getByRole('option', { name: 'Bars in Parkdale Type' }).click()
  await expect(page).toHaveURL(/\/bars\/\?neighbourhood=parkdale$/)
  await expect(panel(page)).toHaveCount(0)

  // A search is offered again on this device.
  await searchButton(page).click()
  await box(page).fill('ramen')
  await box(page).press('Enter')
  await expect(page.locator('main article h3').first()).toBeVisible()
  await expect(panel(page)).toHaveCount(0)
  await searchButton(page).click()
  await panel(page).getByRole('option', { name: 'ramen Searched before' }).click()
  await expect(page).toHaveURL(/\/search\?q=ramen$/)
})

test('the search and its results fit in every width, and axe finds nothing in them', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await open(page)
  await axe(page, 'the panel')
  await box(page).fill('the')
  await box(page).press('Enter')
  await expect(page.locator('main article h3').first()).toBeVisible()
  await axe(page, 'the results')
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, `${width} px`).toBeLessThanOrEqual(0)
  }
})

test('on a phone the current kind of results is in view, and a side with more kinds fades', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 760 })
  const kinds = page.getByRole('navigation', { name: 'Kinds of results' })
  const current = kinds.locator('[aria-current]')
  await page.goto('/search?q=the&category=videos')
  await expect(current).toBeInViewport({ ratio: 1 })
  await expect(kinds.getByRole('list')).toHaveAttribute('data-before')
})
