import { expect, test, type Page } from '@playwright/test'

const names = (page: Page) => page.locator('main article h3')

test('Load More gives each place once, until there are no more', async ({ page, request }) => {
  // The smallest type with more than one page, so that the end is near.
  const types = (await (await request.get('/api/v2/listing-types/')).json()) as {
    results: { share_url: string; count: number }[]
  }
  const [type] = types.results.filter((row) => row.count > 12).sort((a, b) => a.count - b.count)
  if (!type) throw new Error('No type has more than one page of places')

  await page.goto(type.share_url)
  await expect(names(page)).toHaveCount(12)
  const more = page.getByRole('button', { name: 'Load More', exact: true })
  const clicks = Math.min(Math.ceil(type.count / 12) - 1, 5)
  for (let click = 1; click <= clicks; click += 1) {
    await more.click()
    await expect(names(page)).toHaveCount(Math.min(12 * (click + 1), type.count))
  }
  const links = await page
    .locator('main article h3 a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(new Set(links).size).toBe(links.length)
  await expect(more).toBeVisible({ visible: 12 * (clicks + 1) < type.count })

  // Back restores all pages of the list.
  await page.locator('main article h3 a').last().click()
  await expect(page.getByRole('complementary', { name: 'About this place' })).toBeVisible()
  await page.goBack()
  await expect(names(page)).toHaveCount(links.length)
})

test('sorting starts at the first page, and the address keeps it', async ({ page }) => {
  await page.goto('/places/')
  await expect(names(page)).toHaveCount(12)
  const sorted = page.waitForResponse((answer) => /listings\/.*ordering=name/.test(answer.url()))
  await page.getByLabel('Sort').selectOption({ label: 'Name, A to Z' })
  const { results } = (await (await sorted).json()) as { results: { name: string }[] }
  await expect(names(page)).toHaveText(results.map((row) => row.name))
  await expect(page).toHaveURL(/\/places\/\?ordering=name$/)
  await page.reload()
  await expect(names(page)).toHaveText(results.map((row) => row.name))
})

test('white space is no search, and every character survives', async ({ page }) => {
  await page.goto('/places/')
  await expect(names(page)).toHaveCount(12)
  const box = page.getByRole('searchbox', { name: 'Search places by name' })
  await box.fill('   ')
  await box.press('Enter')
  await expect(page).toHaveURL(/\/places\/$/)
  const searchRequest = page.waitForRequest((request) => request.url().includes('keywords='))
  await box.fill('a & b + c # d')
  await box.press('Enter')
  expect(new URL((await searchRequest).url()).searchParams.get('keywords')).toBe('a & b + c # d')
  expect(new URL(page.url()).searchParams.get('keywords')).toBe('a & b + c # d')
})
