import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { axe } from './looks'

const searchButton = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: 'Search' })
const panel = (page: Page) => page.getByRole('dialog', { name: 'What cha looking for?' })
const box = (page: Page) => panel(page).getByRole('searchbox', { name: 'Search for' })

async function open(page: Page): Promise<void> {
  await page.goto('/contact/')
  await searchButton(page).click()
  await expect(box(page)).toBeFocused()
}

test('white space is no search', async ({ page }) => {
  await open(page)
  await box(page).press('Enter')
  await box(page).fill('   ')
  await panel(page).getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL(/\/contact\/$/)
  await expect(panel(page)).toBeVisible()
})

test('what is typed while the search opens is in its box', async ({ page }) => {
  await page.goto('/contact/')
  await searchButton(page).hover()
  await searchButton(page).click()
  // A quick reader, who does not look whether the box is there.
  await page.keyboard.type('ramen bar', { delay: 25 })
  await expect(box(page)).toHaveValue('ramen bar')
  await expect(box(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=ramen\+bar$/)
})

test('Escape, Cancel and Close hide the search and give the focus back', async ({ page }) => {
  await open(page)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(searchButton(page)).toBeFocused()
  for (const name of ['Cancel', 'Close']) {
    await searchButton(page).click()
    await panel(page).getByRole('button', { name }).click()
    await expect(panel(page)).toHaveCount(0)
    await expect(searchButton(page)).toBeFocused()
  }
})

test('a search of everything goes to /search?q=, and every character survives', async ({
  page,
}) => {
  await open(page)
  const asked = page.waitForRequest((request) => request.url().includes('keywords='))
  await box(page).fill('a & b + c # d')
  await box(page).press('Enter')
  expect(new URL((await asked).url()).searchParams.get('keywords')).toBe('a & b + c # d')
  await expect(page).toHaveURL(/\/search\?q=a\+%26\+b\+%2B\+c\+%23\+d$/)
  await expect(panel(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Results for “a & b + c # d”')
  await expect(page.getByRole('heading', { name: 'Nothing matches that' })).toBeVisible()
})

test('the results name each kind that matches and lead to all of it', async ({ page, request }) => {
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
  await expect(page).toHaveURL(/\/places\/\?keywords=/)
  await expect(page.locator('main article h3').first()).toHaveText(place?.name ?? '')
})

for (const [category, path] of [
  ['Best of', /\/toronto\/\?keywords=a$/],
  ['Articles', /\/archives\/\?keywords=a$/],
  ['Places', /\/places\/\?keywords=a$/],
  ['Events', /\/events\/\?keywords=a$/],
  ['Videos', /\/videos\/\?keywords=a$/],
] as const) {
  test(`a search of ${category} goes to their grid`, async ({ page }) => {
    await open(page)
    await panel(page).getByRole('radio', { name: category, exact: true }).check()
    await box(page).fill(' a ')
    await box(page).press('Enter')
    await expect(page).toHaveURL(path)
    await expect(page.locator('main article h3').first()).toBeVisible()
    await expect(page.locator('main').getByRole('searchbox')).toHaveValue('a')
  })
}

for (const width of [360, 768, 1440]) {
  test(`the search and its results at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page)
    await axe(page, 'the panel')
    await box(page).fill('the')
    await box(page).press('Enter')
    await expect(page.locator('main article h3').first()).toBeVisible()
    await axe(page, 'the results')
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBeLessThanOrEqual(0)
  })
}
