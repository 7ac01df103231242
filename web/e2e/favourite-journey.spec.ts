import { expect, test, type Page } from '@playwright/test'
import { firstOpenPlace } from './catalogue'
import { logIn, newReader, signUp } from './reader'

const favourites = '/accounts/dashboard#/favourites/'

test('a guest’s heart becomes a reader’s favourite, on every device immediately', async ({
  page,
  browser,
}) => {
  const reader = newReader()
  const name = await firstOpenPlace(page)
  const heart = (where: Page) => where.getByRole('button', { name: `Favourite ${name}` }).first()
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false')

  // The click opens the log-in dialog, which links to the sign-up.
  await heart(page).click()
  await page
    .getByRole('dialog', { name: 'Sign up or Log in' })
    .getByRole('button', { name: 'Sign up', exact: true })
    .click()
  await expect(page.getByRole('dialog', { name: 'Sign up or Log in' })).toBeHidden()
  await signUp(page, reader)
  await expect(page).toHaveURL(/\/places\/$/)
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')

  await page.goto(favourites)
  await expect(page.getByRole('heading', { level: 3, name })).toBeVisible()
  await page.goto('/places/')
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')

  // The same reader in another browser.
  const other = await (await browser.newContext()).newPage()
  await logIn(other, reader)
  await other.goto(favourites)
  await expect(other.getByRole('heading', { level: 3, name })).toBeVisible()

  // When the favourite is removed in the other browser, the heart changes in this browser without a reload.
  await page.evaluate(() => Object.assign(window, { notReloaded: true }))
  await heart(other).click()
  await expect(other.getByText('You have no favourites yet.')).toBeVisible()
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false')

  // When the heart is turned on in this browser, the favourite reappears in the other browser without a reload.
  await other.evaluate(() => Object.assign(window, { notReloaded: true }))
  await heart(page).click()
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(other.getByRole('heading', { level: 3, name })).toBeVisible()

  for (const where of [page, other]) {
    expect(await where.evaluate(() => 'notReloaded' in window)).toBe(true)
  }
  await other.context().close()
})
