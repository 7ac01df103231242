import { expect, test } from '@playwright/test'
import { results } from './catalogue'

test('a closed place shows no rating, address details or controls, and its structured data omits them', async ({
  page,
  request,
}) => {
  const [closed] = await results(request, '/api/v2/listings/?is_closed=1&limit=1')
  await page.goto(closed?.share_url ?? '')
  const badge = page.getByRole('complementary', { name: 'About this place' })
  await expect(badge.getByText('Closed', { exact: true })).toBeVisible()
  const facts = (await badge.locator('dt').allTextContents()).join(' ')
  expect(facts).toContain('Type')
  expect(facts).not.toMatch(/Rating|Address|Phone|Website|Inspection|Hours|Map/)
  const heart = page.getByRole('button', { name: `Favourite ${closed?.name ?? ''}` })
  await expect(heart).toHaveCount(0)
  await expect(page.getByText('Add to favourites')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Show the map' })).toHaveCount(0)
  const data = await page
    .locator('script[type="application/ld+json"]')
    .evaluateAll((all) => all.map((one) => JSON.stringify(JSON.parse(one.textContent))).join(' '))
  expect(data).toContain(closed?.name)
  expect(data).not.toMatch(/"(address|telephone|aggregateRating|geo|openingHours)"/)
})
