import { expect, test, type Page, type Request, type Route } from '@playwright/test'
import { rendered } from './clock'
import { holdRequests } from './requests'

const names = (page: Page) => page.locator('main article h3')
const count = (page: Page) => page.locator('main header [role=status]')
const PAGES = '**/api/v2/listings/?*'

const refuse = (route: Route) =>
  route.fulfill({
    status: 400,
    contentType: 'application/json',
    body: JSON.stringify({ code: 'invalid', detail: 'For this test.' }),
  })

async function sort(page: Page, label: string): Promise<void> {
  await page.getByLabel('Sort').selectOption({ label })
}

test('a first page that fails leaves neither items nor a count, a later one keeps the loaded items, and both can be retried', async ({
  page,
}) => {
  await page.goto('/places/')
  await expect(names(page)).toHaveCount(12)
  await expect(count(page)).not.toBeEmpty()
  await page.route(PAGES, refuse)
  await sort(page, 'Name, A to Z')
  await expect(page.getByRole('alert')).toContainText('This did not load')
  await expect(names(page)).toHaveCount(0)
  await expect(count(page)).toBeEmpty()
  await page.unroute(PAGES)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(names(page)).toHaveCount(12)

  await page.getByRole('button', { name: 'Load More' }).click()
  await expect(names(page)).toHaveCount(24)
  await page.route(PAGES, refuse)
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect(page.getByRole('alert')).toContainText('The next page did not load.')
  await expect(names(page)).toHaveCount(24)
  await page.unroute(PAGES)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(names(page)).toHaveCount(36)
})

test('a slow page shows its skeleton, and a late answer to an old request is dropped', async ({
  page,
}) => {
  await page.goto('/places/')
  await expect(names(page)).toHaveCount(12)
  const release = await holdRequests(page, '**/api/v2/listings/?*ordering=date_published*')
  const isOld = (request: Request) => request.url().includes('ordering=date_published')
  // The page may cancel the request.
  const ended = Promise.race([
    page.waitForEvent('requestfinished', isOld),
    page.waitForEvent('requestfailed', isOld),
  ])
  await sort(page, 'Oldest first')
  await expect(page.getByRole('group', { name: 'Loading places' })).toBeVisible()
  const sorted = page.waitForResponse((answer) => /ordering=name/.test(answer.url()))
  await sort(page, 'Name, A to Z')
  const { results } = (await (await sorted).json()) as { results: { name: string }[] }
  const expected = results.map((row) => row.name)
  await expect(names(page)).toHaveText(expected)
  release()
  await ended
  await rendered(page)
  await expect(names(page)).toHaveText(expected)
})
