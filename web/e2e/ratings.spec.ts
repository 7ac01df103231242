import { expect, test, type APIRequestContext, type Locator, type Page } from '@playwright/test'
import { results } from './catalogue'
import { stopClock } from './clock'
import { axe } from './layout'
import { logIn, newReader, register, signUp } from './reader'
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

test('by touch a reader rates with the thumb, and removes the rating', async ({
  browser,
  request,
}) => {
  const place = await placeOf(request, 1)
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
  const place = await placeOf(request, 2)
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
  const place = await placeOf(request, 3)
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

test('a rating is saved although its reader leaves the site during the thanks', async ({
  page,
  request,
}) => {
  const place = await placeOf(request, 4)
  await page.clock.install()
  await register(page)
  await page.goto(place.share_url)
  await star(page, place, 5).click()
  await stopClock(page)
  await button(page, 'Confirm').click()
  await expect(thanks(page)).toBeVisible()
  expect((await stored(page, place)).rating).toBeNull()
  await page.goto('about:blank')
  await expect.poll(async () => (await stored(page, place)).rating).toBe(5)
  // Back shows a page that the browser stored before the vote.
  await page.clock.resume()
  await page.goBack()
  await expect(page.getByText('You gave it 5 stars.')).toBeVisible()
  await expectMean(page, place)
})
