import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { axe } from './layout'

interface Contest {
  id: number
  name: string
  share_url: string
  question: string
  has_closed: boolean
}

async function openContest(page: Page): Promise<Contest> {
  const all = await results<Contest>(page.request, '/api/v2/contests/?limit=100')
  const contest = all.find((one) => !one.has_closed && one.question)
  if (!contest) throw new Error('No contest is open')
  await page.goto(contest.share_url)
  await expect(page.getByRole('heading', { level: 1, name: contest.name })).toBeVisible()
  return contest
}

const form = (page: Page) => page.getByRole('form', { name: 'Enter the contest' })

async function fillIn(page: Page, contest: Contest): Promise<void> {
  const mark = `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`
  await form(page).getByLabel(contest.question).fill('Badger hair')
  await form(page).getByLabel('Full name').fill('Robin Ames')
  await form(page).getByLabel('Email').fill(`robin.${mark}@example.com`)
  await form(page).getByLabel('I accept the rules').check()
}

const send = (page: Page) => form(page).getByRole('button', { name: 'Enter the contest' }).click()

for (const width of [360, 768, 1440]) {
  test(`a contest refuses an empty entry and accepts a complete one at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const contest = await openContest(page)

    const refused = page.waitForResponse(/\/entries\/$/)
    await send(page)
    expect((await refused).status()).toBe(400)
    for (const label of [contest.question, 'Full name', 'Email', 'I accept the rules']) {
      const field = form(page).getByLabel(label)
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      const message = (await field.getAttribute('aria-describedby')) ?? ''
      await expect(page.locator(`[id="${message}"]`)).not.toBeEmpty()
    }
    await axe(page, 'refused')

    await fillIn(page, contest)
    const taken = page.waitForResponse(/\/entries\/$/)
    await send(page)
    expect((await taken).status()).toBe(202)
    const success = page.getByRole('heading', { name: 'You are in the draw' })
    await expect(success).toBeFocused()
    await expect(page.getByRole('status').getByText('You are in the draw')).toBeAttached()
    await expect(form(page)).toBeHidden()
    await axe(page, 'entered')
  })
}

test('a repeated entry has the same key, and a changed one another', async ({ page }) => {
  const contest = await openContest(page)
  const keys: (string | undefined)[] = []
  await page.route(/\/entries\/$/, async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    // The first try never arrives; the second is refused as if the site were busy.
    if (keys.length === 1) return route.abort()
    if (keys.length === 2) return route.fulfill({ status: 429, json: {} })
    return route.continue()
  })
  await page.getByRole('link', { name: 'Enter the contest' }).click()
  await expect(form(page).getByLabel(contest.question)).toBeInViewport()
  await fillIn(page, contest)
  await send(page)
  await expect(form(page).getByRole('alert')).toHaveText(/^Too many tries\./)
  await form(page).getByLabel('Full name').fill('Robin B. Ames')
  await send(page)
  await expect(page.getByRole('heading', { name: 'You are in the draw' })).toBeVisible()
  expect(keys).toHaveLength(3)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})

test('an email address that has already entered gets the same answer', async ({ page }) => {
  const contest = await openContest(page)
  await fillIn(page, contest)
  const email = await form(page).getByLabel('Email').inputValue()
  const first = page.waitForResponse(/\/entries\/$/)
  await send(page)
  const body = await (await first).text()
  await expect(page.getByRole('heading', { name: 'You are in the draw' })).toBeVisible()

  await page.reload()
  await fillIn(page, contest)
  await form(page).getByLabel('Email').fill(email)
  const again = page.waitForResponse(/\/entries\/$/)
  await send(page)
  expect((await again).status()).toBe(202)
  expect(await (await again).text()).toBe(body)
  await expect(page.getByRole('heading', { name: 'You are in the draw' })).toBeVisible()
})
