import { expect, test } from '@playwright/test'

test('the page about advertising names the current advertisers, also without scripts, and links to the form', async ({
  browser,
  page,
}) => {
  const answer = await page.request.get('/api/v2/ads/advertisers/')
  const { results } = (await answer.json()) as { results: { name: string }[] }
  const names = results.map(({ name }) => name)
  expect(names.length).toBeGreaterThan(5)
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')))
  const section = { name: 'Who advertises now' }
  const plain = await browser.newPage({ javaScriptEnabled: false })
  for (const reader of [plain, page]) {
    await reader.goto('/contact/')
    await reader.getByRole('link', { name: 'About our ads' }).click()
    await expect(reader).toHaveTitle(/^Advertising · /)
    const advertisers = reader.getByRole('region', section).getByRole('listitem')
    await expect(advertisers).toHaveText(names)
    const size = reader.getByRole('row', { name: '300 × 250' })
    await expect(size).toHaveText('300 × 250phones, tablets, computers')
    await reader.getByRole('link', { name: 'Write to us' }).click()
    await expect(reader).toHaveURL(/\/contact\/\?advertise/)
  }
  await plain.close()
  await expect(page.getByRole('heading', { name: 'Advertise', level: 1 })).toBeVisible()
})
