import { expect, test, type Page } from '@playwright/test'
import { rendered } from './clock'
import { pageLoaded } from './requests'

const names = (page: Page) => page.locator('main article h3')
const more = (page: Page) => page.getByRole('button', { name: 'Load More' })
const scrollOf = (page: Page) => page.evaluate(() => Math.round(window.scrollY))

/** Loads more three times, scrolls to the last place, and follows its link. */
async function goDeep(page: Page, address: string): Promise<{ scroll: number; name: string }> {
  await page.goto(address)
  for (const count of [12, 24, 36]) {
    await expect(names(page)).toHaveCount(count)
    await more(page).click()
  }
  await expect(names(page)).toHaveCount(48)
  const link = names(page).nth(45).getByRole('link')
  const name = (await link.textContent()) ?? ''
  await link.focus()
  await rendered(page)
  const scroll = await scrollOf(page)
  expect(scroll).toBeGreaterThan(1000)
  return { scroll, name }
}

async function isAsItWas(page: Page, { scroll, name }: { scroll: number; name: string }) {
  await expect(names(page)).toHaveCount(48)
  await expect(names(page).nth(45).getByRole('link')).toBeFocused()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name)
  await expect.poll(async () => Math.abs((await scrollOf(page)) - scroll)).toBeLessThan(3)
}

test('Back and Forward find list, place and focus as they were, do not pull a reader back who scrolls, and a new visit starts at its top', async ({
  page,
}) => {
  await page.clock.install()
  const was = await goDeep(page, '/places/?ordering=name')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('complementary', { name: 'About this place' })).toBeVisible()
  await expect.poll(() => scrollOf(page)).toBe(0)
  let requests = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/v2/listings/?')) requests += 1
  })
  await page.goBack()
  await isAsItWas(page, was)
  expect(requests).toBe(0)
  await page.goForward()
  await expect(page.getByRole('complementary', { name: 'About this place' })).toBeVisible()

  await page.goBack()
  await isAsItWas(page, was)

  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, -900)
  const isUp = async () => expect(await scrollOf(page)).toBeLessThan(was.scroll - 500)
  await expect(isUp).toPass()
  // The page scrolls neither later nor when its height changes.
  await page.clock.runFor(60_000)
  await page.evaluate(() => (document.body.style.paddingBottom = '100px'))
  await rendered(page)
  await isUp()

  // A new visit starts at the top, and so does another query.
  await page.getByRole('contentinfo').getByRole('link', { name: 'All places' }).click()
  await expect(page).toHaveURL(/\/places\/$/)
  await expect(names(page)).toHaveCount(12)
  await expect.poll(() => scrollOf(page)).toBe(0)
  await page.getByLabel('Sort').selectOption({ label: 'Name, A to Z' })
  await expect(page).toHaveURL(/ordering=name$/)
  await expect(names(page)).toHaveCount(12)
})

test('a followed link gives the focus to the heading of its page', async ({ page }) => {
  await page.goto('/contact/')
  await pageLoaded(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'All places' }).press('Enter')
  await expect(page).toHaveURL(/\/places\/$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  // The next Tab continues from there.
  await page.keyboard.press('Tab')
  await expect(page.locator('main :focus')).toHaveCount(1)
})

test('Back from another site finds list, place and focus as they were', async ({ page }) => {
  await page.route('https://elsewhere.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
  )
  const was = await goDeep(page, '/places/?ordering=name')
  await page.goto('https://elsewhere.example/')
  await expect(page).toHaveTitle('Elsewhere')
  await page.goBack()
  await isAsItWas(page, was)
})

/** `top` is within the server's page too, which is shorter than the application's: it has no Load More. */
async function scrollTo(page: Page, top: number) {
  await page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top)
  await expect.poll(() => scrollOf(page)).toBe(top)
}

test('a reload keeps the position, and so does Back from a part of the page', async ({ page }) => {
  await page.goto('/places/')
  await expect(names(page)).toHaveCount(12)
  await scrollTo(page, 600)
  await page.reload()
  await expect(names(page)).toHaveCount(12)
  await expect.poll(() => scrollOf(page)).toBe(600)
  await pageLoaded(page)
  expect(await scrollOf(page)).toBe(600)

  await page.evaluate(() => (window.location.hash = 'content'))
  await expect.poll(() => scrollOf(page)).toBeLessThan(600)
  await page.goBack()
  await expect.poll(() => scrollOf(page)).toBe(600)
  await page.goForward()
  await expect.poll(() => scrollOf(page)).toBeLessThan(600)
})
