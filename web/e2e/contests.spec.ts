import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { axe, layoutErrors } from './layout'
import { newReader } from './reader'

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
  await page.getByRole('link', { name: 'Enter the contest' }).click()
  await expect(form(page).getByLabel(contest.question)).toBeInViewport()
  return contest
}

const form = (page: Page) => page.getByRole('form', { name: 'Enter the contest' })

const send = (page: Page) => form(page).getByRole('button', { name: 'Enter the contest' }).click()

test('a contest refuses an empty entry and accepts a complete one', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 900 })
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
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await layoutErrors(page, width), `refused at ${width} px`).toEqual([])
  }

  await form(page).getByLabel(contest.question).fill('Badger hair')
  await form(page).getByLabel('Full name').fill('Robin Ames')
  await form(page).getByLabel('Email').fill(newReader().email)
  await form(page).getByLabel('I accept the rules').check()
  const taken = page.waitForResponse(/\/entries\/$/)
  await send(page)
  expect((await taken).status()).toBe(202)
  const success = page.getByRole('heading', { name: 'You are in the draw' })
  await expect(success).toBeFocused()
  await expect(page.getByRole('status').getByText('You are in the draw')).toBeAttached()
  await expect(form(page)).toBeHidden()
  await axe(page, 'entered')
})
