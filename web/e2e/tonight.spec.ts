import { expect, test } from '@playwright/test'

const HERE = { latitude: 43.6532, longitude: -79.3832 }

test.use({ viewport: { width: 360, height: 760 }, geolocation: HERE, permissions: ['geolocation'] })

test('what is open nearby is two taps from the front page, and no request has the position', async ({
  page,
}) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto('/')
  const line = page.getByRole('link', { name: 'Tonight' }).first()
  // The facts of the day are added once the page has loaded.
  await expect(line).toContainText('Sunset')
  await line.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Tonight in /)
  const places = page.getByRole('article').filter({ has: page.getByRole('heading', { level: 3 }) })
  await expect(places.first()).toBeVisible()

  await page.getByLabel('Sort').selectOption('Nearest')
  await expect(page).toHaveURL('/tonight/?order=nearest')
  await page.getByRole('button', { name: 'Use my location' }).click()
  await expect(page.getByText(/ · \d+\sm$/).first()).toBeVisible()
  const position = /43\.65|-79\.38/
  expect(sent.filter((request) => position.test(request))).toEqual([])
})
