import { expect, test, type APIRequestContext, type Locator, type Page } from '@playwright/test'
import { results } from './catalogue'
import { stopClock } from './clock'
import { axe } from './layout'
import { logIn, newReader, signUp, type Reader } from './reader'
import { readStory } from './scrolling'
import { vitals, watchVitals } from './vitals'

/** How long the thanks are shown before the rating is saved, in milliseconds. */
const THANKS = 1600

interface Place {
  id: number
  name: string
  share_url: string
}

interface Rating {
  id: number | null
  rating: number | null
  average: number | null
  voters: number
}

/** An open place for each test, so that no other test rates it. */
async function placeOf(request: APIRequestContext, test: number): Promise<Place> {
  const all = await results<Place & { type: { is_age_restricted: boolean } }>(
    request,
    '/api/v2/listings/?limit=100&is_closed=0&ordering=name',
  )
  const place = all.filter(({ type }) => !type.is_age_restricted)[test]
  if (!place) throw new Error('Not enough places')
  return place
}

async function register(page: Page): Promise<Reader> {
  const reader = newReader()
  await page.goto('/?signupDialogActive=1')
  await signUp(page, reader)
  return reader
}

/** The reader's rating on the server. */
async function stored(page: Page, { id }: Place): Promise<Rating> {
  const answer = await page.request.get(`/api/v2/ratings/${id}/`)
  expect(answer.ok()).toBe(true)
  return (await answer.json()) as Rating
}

// The stars are displayed in the badge on large screens, and in the dock on phones.
const group = (page: Page, { name }: Place): Locator =>
  page.getByRole('radiogroup', { name: `Your rating of ${name}` })
const star = (page: Page, place: Place, stars: number): Locator =>
  group(page, place)
    .getByRole('radio')
    .nth(stars - 1)
const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true })

/** The visible thanks, not their announcement for screen readers. */
const thanks = (page: Page): Locator =>
  page.getByRole('paragraph').filter({ hasText: 'Thanks for rating!' })

/** Expects a number of filled stars. */
async function expectStars(page: Page, place: Place, stars: number): Promise<void> {
  await expect(group(page, place).locator('[role="radio"][data-on]')).toHaveCount(stars)
}

/** Expects the mean and the votes of the server on the page. */
async function expectMean(page: Page, place: Place): Promise<void> {
  const { average, voters } = await stored(page, place)
  const votes = voters === 1 ? '1 vote' : `${voters} votes`
  const badge = page.getByRole('complementary', { name: 'About this place' })
  await expect(badge).toContainText(
    average === null ? 'No votes yet' : `Rated ${average.toFixed(1)} of 5 (${votes})`,
  )
  await expect(badge).not.toContainText('NaN')
}

async function rate(page: Page, place: Place, stars: number): Promise<void> {
  await star(page, place, stars).click()
  await button(page, 'Confirm').click()
  await expect(thanks(page)).toBeVisible()
  await expect.poll(async () => (await stored(page, place)).rating).toBe(stars)
}

test('by mouse a reader rates, thinks better of it, changes and removes the rating', async ({
  page,
  request,
}) => {
  const place = await placeOf(request, 0)
  await page.clock.install()
  await watchVitals(page)
  await register(page)
  await page.goto(place.share_url)
  const before = await stored(page, place)
  await page.evaluate(() => Object.assign(window, { notReloaded: true }))

  await star(page, place, 3).hover()
  await expectStars(page, place, 3)
  await page.mouse.move(0, 0)
  await expectStars(page, place, 0)

  await star(page, place, 4).click()
  await expect(page.getByText('Confirm 4 star rating:')).toBeVisible()
  await axe(page, 'the question in the badge', 'aside')
  await button(page, 'Cancel').click()
  await page.mouse.move(0, 0)
  await expectStars(page, place, 0)
  expect(await stored(page, place)).toEqual(before)

  await star(page, place, 4).click()
  await stopClock(page)
  await button(page, 'Confirm').click()
  await expect(thanks(page)).toBeVisible()
  await page.clock.runFor(THANKS - 1)
  await expect(thanks(page)).toBeVisible()
  expect((await stored(page, place)).rating).toBeNull()
  await page.clock.runFor(1)
  await expect(thanks(page)).toBeHidden()
  await page.clock.resume()
  await expect.poll(async () => (await stored(page, place)).rating).toBe(4)
  expect((await stored(page, place)).voters).toBe(before.voters + 1)
  await expectMean(page, place)

  await star(page, place, 2).click()
  await expect(page.getByText('Edit to 2 star rating:')).toBeVisible()
  await button(page, 'Confirm').click()
  await expect.poll(async () => (await stored(page, place)).rating).toBe(2)
  expect((await stored(page, place)).voters).toBe(before.voters + 1)
  await expectMean(page, place)

  await expect(page.getByText('You gave it 2 stars.')).toBeVisible()
  await button(page, `Remove your rating of ${place.name}`).click()
  await page.mouse.move(0, 0)
  await expectStars(page, place, 0)
  await expect.poll(async () => stored(page, place)).toEqual(before)
  await expectMean(page, place)
  expect(await page.evaluate(() => 'notReloaded' in window)).toBe(true)
  expect((await vitals(page)).cls).toBeLessThan(0.01)
})

test('by keys arrows preview, and only a confirmation saves', async ({ page, request }) => {
  const place = await placeOf(request, 1)
  await register(page)
  await page.goto(place.share_url)
  await star(page, place, 1).focus()
  for (const stars of [2, 3, 4]) {
    await page.keyboard.press('ArrowRight')
    await expectStars(page, place, stars)
    await expect(star(page, place, stars)).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: 'Confirm 4 star rating:' })).toBeVisible()
  await expect(button(page, 'Confirm')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Confirm 4 star rating:')).toBeHidden()
  await expectStars(page, place, 0)
  expect((await stored(page, place)).rating).toBeNull()

  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Thanks for rating!' })).toBeAttached()
  await expect(star(page, place, 5)).toBeFocused()
  await expect.poll(async () => (await stored(page, place)).rating).toBe(5)
})

test('by touch a reader rates with the thumb, and removes the rating', async ({
  browser,
  request,
}) => {
  const place = await placeOf(request, 2)
  const context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 360, height: 740 },
  })
  const page = await context.newPage()
  await register(page)
  await page.goto(place.share_url)
  // The reminder makes space for the question and the thanks.
  const reminder = page.getByRole('complementary', { name: 'Reminder' })
  await readStory(page)
  await expect(reminder).toBeVisible()
  const box = await star(page, place, 5).boundingBox()
  expect(box?.width).toBeGreaterThanOrEqual(44)
  expect(box?.height).toBeGreaterThanOrEqual(44)
  expect(box?.y, 'within the thumb’s reach').toBeGreaterThan(600)
  await star(page, place, 5).tap()
  await button(page, 'Cancel').tap()
  await expectStars(page, place, 0)
  await star(page, place, 3).tap()
  await expectStars(page, place, 3)
  await button(page, 'Confirm').tap()
  await expect(thanks(page)).toBeVisible()
  await expect(reminder).toBeHidden()
  await expect.poll(async () => (await stored(page, place)).rating).toBe(3)
  await expectMean(page, place)
  await star(page, place, 3).tap()
  await axe(page, 'the question above the dock')
  await button(page, `Remove your rating of ${place.name}`).tap()
  await expectStars(page, place, 0)
  await expect.poll(async () => (await stored(page, place)).rating).toBeNull()
  await context.close()
})

test('two browsers of a reader stay in step, with the mean and the counts', async ({
  page,
  browser,
  request,
}) => {
  const place = await placeOf(request, 3)
  const reader = await register(page)
  const other = await (await browser.newContext()).newPage()
  await logIn(other, reader)
  await other.goto(place.share_url)
  await expectStars(other, place, 0)
  await page.goto(place.share_url)
  await rate(page, place, 4)
  await expectStars(other, place, 4)
  await expectMean(other, place)

  await other.goto('/accounts/dashboard#/home/')
  const count = other.getByRole('link', { name: /Rated Places/ }).filter({ hasText: /\d/ })
  await expect(count).toContainText('1')
  await button(page, `Remove your rating of ${place.name}`).click()
  await expect(count).toContainText('0')
  await other.context().close()
})

test('a guest’s stars are kept through sign-up, and an address writes nothing by itself', async ({
  page,
  browser,
  request,
}) => {
  const place = await placeOf(request, 4)
  await page.goto(place.share_url)
  await star(page, place, 4).click()
  const login = page.getByRole('dialog', { name: 'Sign up or Log in' })
  await expect(login).toBeVisible()
  await expect(page.getByText('Confirm 4 star rating:')).toBeHidden()
  await login.getByRole('button', { name: 'Forgot password?' }).click()
  const reset = page.getByRole('dialog', { name: 'Reset your password' })
  await reset.getByRole('button', { name: 'Log in' }).click()
  await login.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(login).toBeHidden()
  const reader = newReader()
  await signUp(page, reader)
  await expect(page).toHaveURL(place.share_url)
  await expectStars(page, place, 4)
  expect((await stored(page, place)).rating).toBe(4)
  await expectMean(page, place)

  const query = `?post_authenticate_action=rating&object_id=${place.id}&rating=1`
  await page.goto(`${place.share_url}${query}`)
  await expect(page).toHaveURL(place.share_url)
  await expectStars(page, place, 4)
  expect((await stored(page, place)).rating).toBe(4)

  const guest = await (await browser.newContext()).newPage()
  await guest.goto(`${place.share_url}${query}`)
  await expectStars(guest, place, 0)
  await guest.context().close()
})

test('a save that fails leaves the stars as they were, without a message', async ({
  page,
  request,
}) => {
  const place = await placeOf(request, 5)
  await register(page)
  await page.goto(place.share_url)
  const isWrite = (method: string): boolean => method === 'POST' || method === 'PATCH'
  await page.route(/\/api\/v2\/ratings\//, (route) =>
    isWrite(route.request().method())
      ? route.fulfill({ status: 500, json: { code: 'internal', detail: 'Internal error.' } })
      : route.continue(),
  )
  const failed = page.waitForResponse((answer) => answer.status() === 500)
  await star(page, place, 4).click()
  await button(page, 'Confirm').click()
  await page.mouse.move(0, 0)
  await expectStars(page, place, 4)
  await failed
  await expectStars(page, place, 0)
  await expect(page.getByText('Pick a star to rate it.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

for (const [way, leave] of [
  ['to another site', (page: Page) => page.goto('about:blank')],
  [
    'to another page of the site',
    async (page: Page) => {
      await page.getByRole('link', { name: 'Places' }).first().click()
      await expect(page).toHaveURL(/\/places\/$/)
      await page.clock.runFor(THANKS)
    },
  ],
  ['by a reload', (page: Page) => page.reload()],
] as const) {
  test(`a rating is saved although its reader leaves ${way} during the thanks`, async ({
    page,
    request,
  }) => {
    const place = await placeOf(request, 6)
    await page.clock.install()
    await register(page)
    await page.goto(place.share_url)
    await star(page, place, 5).click()
    await stopClock(page)
    await button(page, 'Confirm').click()
    await expect(thanks(page)).toBeVisible()
    expect((await stored(page, place)).rating).toBeNull()
    await leave(page)
    await expect.poll(async () => (await stored(page, place)).rating).toBe(5)
    // Back shows a page that the browser stored before the vote.
    await page.clock.resume()
    if (way !== 'by a reload') await page.goBack()
    await expect(page.getByText('You gave it 5 stars.')).toBeVisible()
    await expectMean(page, place)
  })
}

test('rated places are sorted, searched, changed and removed in the dashboard', async ({
  page,
  request,
}) => {
  const places = [await placeOf(request, 7), await placeOf(request, 8), await placeOf(request, 9)]
  const [first, second, third] = places
  if (!first || !second || !third) throw new Error('No places')
  await register(page)
  await page.goto('/accounts/dashboard#/ratings/')
  await expect(page.getByText('You have no rated places yet.')).toBeVisible()
  for (const [index, place] of places.entries()) {
    const data = { listing: place.id, rating: index + 1 }
    expect((await page.request.post('/api/v2/ratings/', { data })).ok()).toBe(true)
  }
  const names = page.getByRole('heading', { level: 3 })
  await expect(names).toHaveText([third.name, second.name, first.name])
  await expect(page.getByText('3 rated')).toBeVisible()
  for (const [index, place] of places.entries()) await expectStars(page, place, index + 1)
  await page.getByLabel('Sort').selectOption('Name, A to Z')
  await expect(names).toHaveText([first.name, second.name, third.name])
  const search = page.getByRole('searchbox', { name: 'Search your rated places' })
  await search.fill(second.name)
  await search.press('Enter')
  await expect(names).toHaveText([second.name])
  await star(page, second, 5).click()
  await axe(page, 'rated places')
  await button(page, 'Confirm').click()
  await expect.poll(async () => (await stored(page, second)).rating).toBe(5)
  await button(page, `Remove your rating of ${second.name}`).click()
  await expect(page.getByText(`No rated place matches “${second.name}”`)).toBeVisible()
  await button(page, 'Show all rated places').click()
  await expect(names).toHaveText([third.name, first.name])
})

test('Load More goes on after a removal, and shows each rated place once', async ({
  page,
  request,
}) => {
  await register(page)
  const rated: Place[] = []
  for (let index = 10; index < 24; index += 1) {
    const place = await placeOf(request, index)
    rated.push(place)
    const data = { listing: place.id, rating: 3 }
    expect((await page.request.post('/api/v2/ratings/', { data })).ok()).toBe(true)
  }
  await page.goto('/accounts/dashboard#/ratings/')
  const names = page.getByRole('heading', { level: 3 })
  await expect(names).toHaveCount(12)
  const newest = rated.at(-1)
  await button(page, `Remove your rating of ${newest?.name ?? ''}`).click()
  await expect(names).toHaveCount(11)
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect(names).toHaveCount(13)
  expect(new Set(await names.allTextContents()).size).toBe(13)
  await expect(page.getByRole('button', { name: 'Load More' })).toHaveCount(0)
})

test('a closed place has no rating controls', async ({ page, request }) => {
  const [closed] = await results(request, '/api/v2/listings/?is_closed=1&limit=1')
  await register(page)
  await page.goto(closed?.share_url ?? '')
  const badge = page.getByRole('complementary', { name: 'About this place' })
  await expect(badge.getByText('Closed', { exact: true })).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expect(page.getByText('Your rating')).toHaveCount(0)
})
