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

test('the footer links advertisers to the form with their subject selected', async ({ page }) => {
  await page.goto('/privacy/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Advertise' }).click()
  await expect(page).toHaveURL(/\/contact\/\?advertise=?$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Advertise' })).toBeVisible()
  await expect(page.getByLabel('Subject')).toHaveValue('Advertising')
})
