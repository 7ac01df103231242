import { expect, test } from '@playwright/test'
import { logOut, register } from './reader'

test('signing out in one tab reaches the other, and Back shows nothing personal', async ({
  page,
  context,
}) => {
  const reader = await register(page)
  await page.goto('/places/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Neighbourhoods' }).click()
  await expect(page).toHaveURL(/\/neighbourhoods\/$/)
  const history = () => page.evaluate(() => sessionStorage.getItem('history:entries') ?? '')
  expect(await history()).toContain('/places/')

  await page.goto('/accounts/dashboard#/home/')
  await expect(page.getByText(reader.email)).toBeVisible()

  const other = await context.newPage()
  await other.goto('/accounts/dashboard#/favourites/')
  await expect(other.getByRole('heading', { level: 1, name: 'Favourites' })).toBeVisible()

  await page.getByRole('button', { name: 'Your account', exact: true }).click()
  for (const text of ['Logged in as Robin Ames', 'Log out now']) {
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  }
  await page.keyboard.press('Escape')
  await logOut(page)
  expect(await history()).not.toContain('/places/')

  // The other tab leaves the dashboard, hash and all.
  await expect(other).toHaveURL(
    /\/accounts\/login\?next=%2Faccounts%2Fdashboard%23%2Ffavourites%2F$/,
  )
  await expect(other.getByRole('dialog', { name: 'Sign up or Log in' })).toBeVisible()

  await page.goBack()
  await expect(page).toHaveURL(/\/accounts\/login\?next=/)
  await expect(page.getByText(reader.email)).toBeHidden()
  for (const where of [page, other]) {
    const left = await where.evaluate(() =>
      Object.keys(localStorage).filter((key) => /^(profile|favourites):/.test(key)),
    )
    expect(left).toEqual([])
  }
})

test('a parameter opens the sign-up dialog, whatever its value, and is removed when the dialog closes', async ({
  page,
}) => {
  for (const query of ['?signupDialogActive', '?signupDialogActive=false&type=bars']) {
    await page.goto(`/places/${query}`)
    const dialog = page.getByRole('dialog', { name: 'Create your free account' })
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page).not.toHaveURL(/signupDialogActive/)
  }
  await expect(page).toHaveURL(/\/places\/\?type=bars$/)
})

test('no personal call is made for a guest', async ({ page }) => {
  const personal: string[] = []
  page.on('request', (request) => {
    if (/\/api\/v2\/(profiles|favourites)\//.test(request.url())) personal.push(request.url())
  })
  for (const path of ['/', '/places/', '/accounts/dashboard']) {
    await page.goto(path)
    await expect(page.locator('main h1').first()).toBeAttached()
    await expect(page.locator('main [role=group][aria-label^=Loading]')).toHaveCount(0)
  }
  expect(personal).toEqual([])
})
