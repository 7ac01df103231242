import { expect, test } from '@playwright/test'
import { results } from './catalogue'

interface Place {
  id: number
  name: string
  share_url: string
}

test("a place to eat shows the city's inspections, the latest first, and the last outcome among its facts", async ({
  page,
  request,
}) => {
  const [place] = await results<Place>(request, '/api/v2/listings/?keywords=amritsar+junction')
  const inspections = await results<{ name: string; share_url: string; inspected_on: string }>(
    request,
    `/api/v2/listings/${place?.id ?? 0}/inspections/`,
  )
  await page.goto(place?.share_url ?? '')
  const timeline = page.getByRole('group').filter({ hasText: 'Food inspections' })
  await timeline.getByText('Food inspections').click()
  await expect(timeline.locator('time')).toHaveText(inspections.map((one) => one.inspected_on))
  const conditional = timeline.getByRole('listitem').filter({ hasText: 'Conditional Pass' })
  await expect(conditional.getByRole('listitem').first()).toContainText('Crucial')
  const last = page
    .getByRole('complementary', { name: 'About this place' })
    .getByRole('definition')
    .filter({ hasText: inspections[0]?.inspected_on ?? '-' })
  await expect(last).toContainText('Pass')
})
