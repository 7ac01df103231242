import { expect, test } from '@playwright/test'

test('an incomplete message is refused with an error at each field, then sent once', async ({
  page,
}) => {
  await page.goto('/contact/')
  await expect(page.getByLabel('Subject')).toHaveValue('A question')
  await page.getByRole('button', { name: 'Send' }).click()
  for (const name of ['Name', 'Email', 'Message']) {
    const field = page.getByRole('textbox', { name })
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(/\w/)
  }

  await page.getByRole('textbox', { name: 'Name' }).fill('Robin Ames')
  await page.getByRole('textbox', { name: 'Email' }).fill('robin.ames@example.com')
  await page.getByRole('textbox', { name: 'Message' }).fill('Where does the loop turn?')
  const sending = page.waitForRequest(/\/api\/v2\/contact\/$/)
  await page.getByRole('button', { name: 'Send' }).click()
  const request = await sending
  expect(request.headers()['idempotency-key']).toBeTruthy()
  expect((await request.response())?.status()).toBe(201)
  await expect(page.getByRole('heading', { name: 'Your message is on its way' })).toBeVisible()
  await expect(page.getByText('reply to robin.ames@example.com')).toBeVisible()
})

test('a message whose answer was lost is sent again with its key', async ({ page }) => {
  const keys: (string | undefined)[] = []
  const ids: string[] = []
  await page.route(/\/api\/v2\/contact\/$/, async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    // The server accepts the first message as well; only the answer gets lost.
    const answer = await route.fetch()
    ids.push(((await answer.json()) as { id: string }).id)
    if (keys.length === 1) await route.abort('connectionreset')
    else await route.fulfill({ response: answer })
  })
  await page.goto('/contact/')
  await page.getByRole('textbox', { name: 'Name' }).fill('Robin Ames')
  await page.getByRole('textbox', { name: 'Email' }).fill('robin.ames@example.com')
  await page.getByRole('textbox', { name: 'Message' }).fill('Twice?')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('The site could not be reached.')).toBeVisible()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('heading', { name: 'Your message is on its way' })).toBeVisible()
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
  expect(ids[1]).toBe(ids[0])
})

test('the footer links advertisers to the form with their subject selected', async ({ page }) => {
  await page.goto('/privacy/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Advertise' }).click()
  await expect(page).toHaveURL(/\/contact\/\?advertise=?$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Advertise' })).toBeVisible()
  await expect(page.getByLabel('Subject')).toHaveValue('Advertising')
  await page.goto('/contact/?advertise')
  await expect(page.getByLabel('Subject')).toHaveValue('Advertising')
})

test('contact, privacy and terms open in a new tab', async ({ page }) => {
  await page.goto('/jobs/')
  for (const [name, path] of [
    ['Contact', '/contact/'],
    ['Privacy', '/privacy/'],
    ['Terms of service', '/termsofservice/'],
  ] as const) {
    const link = page.getByRole('contentinfo').getByRole('link', { name, exact: true })
    await expect(link).toHaveAttribute('href', path)
    const opened = page.context().waitForEvent('page')
    await link.click()
    const tab = await opened
    await expect(tab).toHaveURL(new RegExp(`${path}$`))
    await expect(tab.locator('main h1')).toBeVisible()
    await tab.close()
  }
})
