import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'

const names = (page: Page) => page.locator('main article h3')

/** Presses Tab until the wanted element has the focus. */
async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let press = 0; press < 80; press += 1) {
    if (await isThere()) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The element is not reachable by keyboard')
}

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent.trim() ?? '')

test('without a mouse a reader gets from the front page to a place and its heart', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toMatch(/^Skip to/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#content$/)
  await page.goto('/')
  await tabTo(page, async () => (await focused(page)) === 'Places')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/places\/$/)
  await expect(names(page)).toHaveCount(12)
  const first = (await names(page).first().textContent()) ?? ''
  await tabTo(page, async () => (await focused(page)) === first)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(first)
  await tabTo(page, async () => (await focused(page)) === 'Add to favourites')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Sign up or Log in' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Add to favourites')
})

test('by touch a reader gets from the front page to a place and its heart', async ({ browser }) => {
  const context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 800 },
  })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'Menu', exact: true }).tap()
  const menu = page.getByRole('dialog')
  await menu.getByRole('button', { name: 'Places', exact: true }).tap()
  await menu.getByRole('link', { name: 'All Places', exact: true }).tap()
  await expect(names(page)).toHaveCount(12)
  await names(page).nth(2).getByRole('link').tap()
  await expect(page.getByRole('complementary', { name: 'About this place' })).toBeVisible()
  const heart = page.getByRole('button', { name: /favourite/i }).last()
  const box = await heart.boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(44)
  await heart.tap()
  await expect(page.getByRole('dialog', { name: 'Sign up or Log in' })).toBeVisible()
  await context.close()
})

test('without scripts articles and places can be read', async ({ browser, request }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const [article] = await results(request, '/api/v2/articles/?limit=1')
  const [place] = await results(request, '/api/v2/listings/?limit=1&reviewed=1')
  for (const item of [article, place]) {
    await page.goto(item?.share_url ?? '')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(item?.name ?? '')
    const words = (await page.locator('main').innerText()).split(/\s+/).length
    expect(words).toBeGreaterThan(60)
  }
  await page.goto('/places/')
  await expect(page.locator('main a[href]').first()).toBeVisible()
  await context.close()
})
