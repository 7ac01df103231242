import { expect, type Page } from '@playwright/test'
import { results } from './catalogue'
import { test } from './google'
import { axe } from './layout'
import { newReader, register } from './reader'

const BOOKMARKS = '/api/v2/event-bookmarks/'
const HOME = '/accounts/dashboard#/home/'

interface Event {
  name: string
  share_url: string
}

/** Signs up a reader at the site, and returns some of its events. */
async function begin(page: Page, site: string): Promise<[Event, Event, Event]> {
  await register(page, newReader(), site)
  const rows = await results<Event>(page.request, `${site}/api/v2/events/?limit=3`)
  const [first, second, third] = rows
  if (!first || !second || !third) throw new Error('Not enough events')
  return [first, second, third]
}

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save this event' })
const savedButton = (page: Page) => page.getByRole('button', { name: 'Saved', exact: true })
const question = (page: Page) => page.getByRole('dialog', { name: 'Save to calendar' })
const yes = (page: Page) => question(page).getByRole('button', { name: 'Yes, add them' })

/** Answers on Google's page, and waits until the reader is back on the site. */
async function answerGoogle(page: Page, answer: 'Allow' | 'Deny', at: string): Promise<void> {
  await page.getByRole('button', { name: answer }).click()
  await page.waitForURL(at)
}

/** Whether each saved event is added to the calendar, the newest first. */
async function saved(page: Page, site: string): Promise<boolean[]> {
  const answer = await page.request.get(site + BOOKMARKS)
  const { results: rows } = (await answer.json()) as { results: { add_to_calendar: boolean }[] }
  return rows.map(({ add_to_calendar }) => add_to_calendar)
}

async function choice(page: Page, site: string): Promise<boolean | null> {
  const me = await page.request.get(`${site}/api/v2/profiles/me/`)
  return ((await me.json()) as { calendar_sync: boolean | null }).calendar_sync
}

test('after consent a saved event is in the calendar once, also when the way back is taken again', async ({
  page,
  google,
}) => {
  const { site } = google
  const names = async () => (await google.account()).events.map(({ summary }) => summary)
  const [event] = await begin(page, site)
  const here = site + event.share_url
  await page.goto(here)
  await saveButton(page).click()
  await axe(page, "the calendar's dialog", '[role=dialog]')
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth, `the dialog at ${width}`).toBe(clientWidth)
  }

  // Closing the dialog decides nothing.
  await page.keyboard.press('Escape')
  await expect(saveButton(page)).toBeFocused()
  expect([await saved(page, site), await choice(page, site)]).toEqual([[], null])

  // The page navigates to Google immediately, and the browser then discards the answer's body.
  let refused: [number, unknown] | undefined
  await page.route(
    site + BOOKMARKS,
    async (route) => {
      const answer = await route.fetch()
      refused = [answer.status(), await answer.json()]
      await route.fulfill({ response: answer })
    },
    { times: 1 },
  )
  const wayBack = page.waitForRequest(/\/profiles\/oauth-callback\?/)
  await saveButton(page).click()
  await yes(page).click()
  const body = expect.objectContaining({ status: 101, code: 'calendar_authorization_required' })
  await expect.poll(() => refused).toEqual([409, body])
  await answerGoogle(page, 'Allow', here)
  await expect(savedButton(page)).toBeVisible()
  expect([await saved(page, site), await choice(page, site)]).toEqual([[true], true])
  await expect.poll(names).toEqual([event.name])

  await page.goto((await wayBack).url())
  await expect(page).toHaveURL(here)
  await page.reload()
  await expect(savedButton(page)).toBeVisible()
  expect(await saved(page, site)).toEqual([true])

  // An expired token is replaced silently.
  await google.expireTokens()
  await savedButton(page).click()
  await expect.poll(names).toEqual([])
  await saveButton(page).click()
  await expect.poll(names).toEqual([event.name])
  await expect(question(page)).toBeHidden()
  expect(await saved(page, site)).toEqual([true])
  expect((await google.account()).refreshes).toBe(1)
})

test('a denial saves nothing, and the reader is asked again', async ({ page, google }) => {
  const { site } = google
  const [event] = await begin(page, site)
  const here = site + event.share_url
  await page.goto(here)
  await saveButton(page).click()
  await yes(page).click()
  await answerGoogle(page, 'Deny', here)
  await expect(saveButton(page)).toBeVisible()
  expect([await saved(page, site), await choice(page, site)]).toEqual([[], null])
  await page.goto(site + HOME)
  await expect(page.getByText('You are asked when you save an event')).toBeVisible()
  await expect(page.getByText('Your Google calendar is not connected.')).toBeVisible()

  await page.goto(here)
  await saveButton(page).click()
  await question(page).getByRole('button', { name: 'No, save them here only' }).click()
  await expect(savedButton(page)).toBeVisible()
  await expect.poll(() => saved(page, site)).toEqual([false])
  expect(await choice(page, site)).toBe(false)
  expect((await google.account()).writes).toBe(0)
})

test('after the reader has ended the access at Google the page there comes again, and no event is doubled', async ({
  page,
  google,
}) => {
  const { site } = google
  const events = await begin(page, site)
  const [first, second, third] = events
  await page.goto(site + HOME)
  await page.getByRole('button', { name: 'Connect Google calendar' }).click()
  await answerGoogle(page, 'Allow', site + HOME)
  await expect(page.getByText('Your Google calendar is connected.')).toBeVisible()

  const calendar = async () => (await google.account()).events.map(({ summary }) => summary).sort()
  for (const event of [first, second]) {
    await page.goto(site + event.share_url)
    await saveButton(page).click()
    await expect(savedButton(page)).toBeVisible()
    if (event === first) {
      await expect.poll(calendar).toEqual([first.name])
      await google.revoke()
    }
  }
  // The site notices the revocation when it writes the second event.
  const connection = async () => {
    const answer = await page.request.get(`${site}/api/v2/profiles/me/calendar/`)
    return ((await answer.json()) as { is_connected: boolean }).is_connected
  }
  await expect.poll(connection).toBe(false)

  const here = site + third.share_url
  await page.goto(here)
  await saveButton(page).click()
  await answerGoogle(page, 'Allow', here)
  await expect(savedButton(page)).toBeVisible()
  expect(await saved(page, site)).toEqual([true, true, true])
  await expect.poll(calendar).toEqual(events.map(({ name }) => name).sort())
})
