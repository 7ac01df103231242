import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { stopClock } from './clock'
import { applicationRendered, axe } from './layout'
import { holdRequests, pageLoaded } from './requests'

const searchButton = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: 'Search' })
const panel = (page: Page) => page.getByRole('dialog', { name: 'What cha looking for?' })
const box = (page: Page) => panel(page).getByRole('combobox', { name: 'Search for' })

async function open(page: Page): Promise<void> {
  await page.goto('/contact/')
  await searchButton(page).click()
  await expect(box(page)).toBeFocused()
}

test('white space is no search', async ({ page }) => {
  await open(page)
  await box(page).press('Enter')
  await box(page).fill('   ')
  await panel(page).getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL(/\/contact\/$/)
  await expect(panel(page)).toBeVisible()
})

test('text that is typed while the search opens is in its box', async ({ page }) => {
  await page.clock.install()
  await page.goto('/contact/')
  await searchButton(page).hover()
  await pageLoaded(page)
  // The search opens a moment later, after the reader has typed.
  await stopClock(page)
  await searchButton(page).click()
  await page.keyboard.type('ramen bar')
  await expect(box(page)).toHaveCount(0)
  await page.clock.resume()
  await expect(box(page)).toHaveValue('ramen bar')
  await expect(box(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=ramen\+bar$/)
})

test('Escape, Cancel and Close hide the search and return the focus', async ({ page }) => {
  await open(page)
  await expect(panel(page).getByRole('heading', { name: 'What cha looking for?' })).toBeVisible()
  const categories = ['All', 'Best of', 'Articles', 'Places', 'Events', 'Videos']
  await expect(panel(page).getByRole('group').locator('label')).toHaveText(categories)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(searchButton(page)).toBeFocused()
  for (const name of ['Cancel', 'Close']) {
    await searchButton(page).click()
    await panel(page).getByRole('button', { name, exact: true }).click()
    await expect(panel(page)).toHaveCount(0)
    await expect(searchButton(page)).toBeFocused()
  }
})

test('a search of everything goes to /search?q=, and every character survives', async ({
  page,
}) => {
  await open(page)
  const searchRequest = page.waitForRequest((request) => request.url().includes('/api/v2/search/?'))
  await box(page).fill('a & b + c # d')
  await box(page).press('Enter')
  expect(new URL((await searchRequest).url()).searchParams.get('q')).toBe('a & b + c # d')
  await expect(page).toHaveURL(/\/search\?q=a\+%26\+b\+%2B\+c\+%23\+d$/)
  await expect(panel(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Results for “a & b + c # d”')
  await expect(page.getByRole('heading', { name: 'Nothing matches that' })).toBeVisible()
})

test('the heading contains the question before the application loads', async ({ page }) => {
  const begin = await holdRequests(page, /\/assets\/first-[^/]*\.js$/)
  await page.goto('/search?q=a+%26+b', { waitUntil: 'commit' })
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Results for “a & b”')
  await expect(page).toHaveTitle(/^Results for “a & b”/)
  begin()
  await applicationRendered(page)
  await expect(heading).toHaveText('Results for “a & b”')
})

test('the heading contains the question before the code of the results has loaded', async ({
  page,
}) => {
  await page.clock.install()
  const release = await holdRequests(page, /\/assets\/search-[^/]*\.js$/)
  await open(page)
  await box(page).fill('ramen')
  await box(page).press('Enter')
  await expect(page).toHaveURL(/\/search\?q=ramen$/)
  await page.clock.runFor(2000)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Results for “ramen”')
  await expect(page.getByRole('status', { name: 'Loading results' })).toBeVisible()
  release()
  await expect(page.locator('main article h3').first()).toBeVisible()
})

test('the search without a question suggests searches and current things', async ({ page }) => {
  await page.goto('/search')
  await expect(page.getByRole('heading', { level: 2, name: 'Coming up' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Recently reviewed' })).toBeVisible()
  await page.getByRole('link', { name: 'coffee near me' }).click()
  await expect(page.getByRole('button', { name: 'Use my location' })).toBeVisible()
})

test('the results name each kind that matches and link to all of it', async ({ page, request }) => {
  const [place] = await results<{ name: string; share_url: string }>(
    request,
    '/api/v2/listings/?limit=1',
  )
  await page.goto(`/search?q=${encodeURIComponent(place?.name ?? '')}`)
  const places = page
    .locator('main section')
    .filter({ has: page.getByRole('heading', { level: 2, name: 'Places' }) })
  await expect(places.locator('h3').first()).toHaveText(place?.name ?? '')
  await places.getByRole('link', { name: 'All places that match' }).click()
  await expect(page).toHaveURL(/\/search\?category=places&q=/)
  await expect(page.locator('main article h3').first()).toHaveText(place?.name ?? '')
})

test('a search of one category finds nothing else', async ({ page }) => {
  await open(page)
  await panel(page).getByRole('radio', { name: 'Articles', exact: true }).check()
  await box(page).fill(' the ')
  await box(page).press('Enter')
  const kinds = page.getByRole('navigation', { name: 'Kinds of results' })
  for (const [category, slug] of [
    ['Articles', 'articles'],
    ['Best of', 'best-of'],
    ['Places', 'places'],
    ['Events', 'events'],
    ['Videos', 'videos'],
  ] as const) {
    if (slug !== 'articles') await page.goto(`/search?category=${slug}&q=the`)
    await expect(page).toHaveURL(new RegExp(`/search\\?category=${slug}&q=the$`))
    await expect(kinds.locator('[aria-current]')).toHaveText(category)
    await expect(page.locator('main article h3').first()).toBeVisible()
    await expect(page.locator('main').getByRole('searchbox')).toHaveValue('the')
  }
})

/** The names of the results in a group. */
const group = (page: Page, name: string) =>
  page
    .locator('main section')
    .filter({ has: page.getByRole('heading', { level: 2, name }) })
    .locator('h3')

test('"cafe" finds cafés, "listening" listening bars', async ({ page }) => {
  await page.goto('/search?q=cafe')
  await expect(group(page, 'Places').filter({ hasText: 'Café' }).first()).toBeVisible()
  await page.goto('/search?q=listening')
  await expect(group(page, 'Places').filter({ hasText: 'Longwave' })).toBeVisible()
  await expect(group(page, 'Articles').first()).toHaveText(
    'A listening bar plays one record all night',
  )
})

test('"kensington coffee" is about a neighbourhood, which can be removed', async ({ page }) => {
  await page.goto('/search?q=kensington+coffee')
  await expect(group(page, 'Places').first()).toHaveText(/Tin Kettle|First Crack|The Cupping Room/)
  await page.getByRole('link', { name: 'Remove the filter Kensington Market' }).click()
  await expect(page).toHaveURL(/\/search\?q=coffee$/)
  await expect(page.getByRole('link', { name: /Remove the filter/ })).toHaveCount(0)
})

test('"ramen open now" finds open places', async ({ page, request }) => {
  const openPlaces = async (keywords: string) => {
    const params = { open_now: '1', keywords }
    const answer = await request.get('/api/v2/listings/', { params })
    const { results: places } = (await answer.json()) as { results: { name: string }[] }
    return places.map(({ name }) => name)
  }
  // There may be no open place at this hour. The check is repeated if a place opens or closes during it.
  await expect(async () => {
    const before = await openPlaces('ramen')
    await page.goto('/search?q=ramen+open+now')
    await expect(page.getByRole('heading', { name: /ramen open now/ })).toBeVisible()
    // At an hour at which no place is open, there may be articles alone.
    await expect(page.locator('main article h3').first()).toBeVisible()
    const shown = await group(page, 'Places').allTextContents()
    const filter = page.getByRole('link', { name: 'Remove the filter Open now' })
    if (await filter.isVisible()) {
      // The results may include places with the word in a review.
      expect(shown).toEqual(expect.arrayContaining(before))
      for (const name of shown) expect(await openPlaces(name)).toContain(name)
    } else {
      // Without an open place the words are searched as they are, and nothing is filtered.
      expect(before).toEqual([])
      expect(shown).not.toContain('Foghorn Ramen')
    }
  }).toPass()
})

test('a misspelt query is corrected, and can be searched uncorrected', async ({ page }) => {
  await page.goto('/search?q=fohgorn+ramne')
  await expect(page.locator('main article h3').first()).toHaveText('Foghorn Ramen')
  await expect(page.getByText('Showing results for foghorn ramen')).toBeVisible()
  await page.getByRole('link', { name: /Search for .* instead/ }).click()
  await expect(page.getByRole('heading', { name: 'Nothing matches that' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Restaurants' }).first()).toBeVisible()
})

test('near me asks for the position, and lists the nearest first', async ({ page, context }) => {
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: 43.65418, longitude: -79.40113 })
  await page.goto('/search?q=coffee+near+me')
  await page.getByRole('button', { name: 'Use my location' }).click()
  await expect(group(page, 'Places').first()).toHaveText('Tin Kettle')
  expect(page.url()).not.toContain('43.6')
})

test('places that match are on a map', async ({ page }) => {
  await page.goto('/search?q=ramen&category=places')
  await page.getByRole('button', { name: 'Show on a map' }).click()
  await expect(page.getByRole('region', { name: 'Where the places that match are' })).toBeVisible()
  await page.getByRole('button', { name: 'Hide the map' }).click()
  await expect(page.getByRole('region', { name: 'Where the places that match are' })).toHaveCount(0)
})

test('suggestions are reached by arrow keys and by touch', async ({ page }) => {
  await open(page)
  await box(page).pressSequentially('longw')
  const option = panel(page).getByRole('option', { name: 'Longwave Place' })
  await expect(option).toBeVisible()
  await box(page).press('ArrowDown')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await box(page).press('Enter')
  await expect(page).toHaveURL(/\/bars\/longwave\/$/)
  // The previous panel is closing for a moment, and its box would take the letters.
  await expect(panel(page)).toHaveCount(0)
  await searchButton(page).click()
  await box(page).pressSequentially('bars in park')
  await panel(page).getByRole('option', { name: 'Bars in Parkdale Type' }).click()
  await expect(page).toHaveURL(/\/bars\/\?neighbourhood=parkdale$/)
})

test('recent searches are offered again on this device', async ({ page }) => {
  await open(page)
  await box(page).fill('ramen')
  await box(page).press('Enter')
  await expect(page.locator('main article h3').first()).toBeVisible()
  await searchButton(page).click()
  await panel(page).getByRole('option', { name: 'ramen Searched before' }).click()
  await expect(page).toHaveURL(/\/search\?q=ramen$/)
})

test('the search and its results fit in every width, and axe finds nothing in them', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await open(page)
  await axe(page, 'the panel')
  await box(page).fill('the')
  await box(page).press('Enter')
  await expect(page.locator('main article h3').first()).toBeVisible()
  await axe(page, 'the results')
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, `${width} px`).toBeLessThanOrEqual(0)
  }
})

test('on a phone the current kind of results is in view, and a side with more kinds fades', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 760 })
  const kinds = page.getByRole('navigation', { name: 'Kinds of results' })
  const current = kinds.locator('[aria-current]')
  for (const [category, hidden] of [
    ['all', 'after'],
    ['videos', 'before'],
  ] as const) {
    await page.goto(`/search?q=the&category=${category}`)
    await expect(current).toBeInViewport({ ratio: 1 })
    await expect(kinds.getByRole('list')).toHaveAttribute(`data-${hidden}`)
  }
})
