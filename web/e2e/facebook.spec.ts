import { expect, type Page } from '@playwright/test'
import { test } from './facebook'
import { countSaved, FAVOURITE, firstControl } from './kinds'
import { axe } from './layout'
import { logOut, newReader, register } from './reader'

const HOME = '/accounts/dashboard#/home/'
const login = (page: Page) => page.getByRole('dialog', { name: 'Sign up or Log in' })
const section = (page: Page) => page.getByRole('region', { name: 'Facebook' })

/** A guest uses the first heart of a page, and opens Facebook from the dialog. */
async function goToFacebook(page: Page, site: string) {
  await page.goto(site + FAVOURITE.page)
  const { button } = await firstControl(page, FAVOURITE)
  await button(page).click()
  await login(page).getByRole('link', { name: 'Log in with Facebook' }).click()
  return button(page)
}

/** Answers on Facebook's page, and waits until the reader is back on the site. */
async function answerFacebook(page: Page, answer: 'Allow' | 'Deny', at: string | RegExp) {
  await page.getByRole('button', { name: answer }).click()
  await page.waitForURL(at)
}

test('a guest who cancels at Facebook is back where they were, and a log-in there carries out the click once', async ({
  page,
  facebook: { site },
}) => {
  const heart = await goToFacebook(page, site)
  await answerFacebook(page, 'Deny', site + FAVOURITE.page)
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByRole('button', { name: 'Log in or sign up' })).toBeVisible()
  await heart.click()
  await expect(login(page)).toBeVisible()
  await axe(page, 'the log-in dialog with Facebook', '[role=dialog]')
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth, `the dialog at ${width}`).toBe(clientWidth)
  }

  const wayBack = page.waitForRequest(/\/profiles\/facebook-callback\?/)
  await login(page).getByRole('link', { name: 'Log in with Facebook' }).click()
  await answerFacebook(page, 'Allow', site + FAVOURITE.page)
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name: 'Your account', exact: true })).toBeVisible()
  const arrival = await page.evaluate(() => localStorage.getItem('profile:lastActiveSessionMoment'))
  expect(Number(arrival)).toBeGreaterThan(0)
  // The redirect back is repeated.
  await page.goto((await wayBack).url())
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  expect(await countSaved(page, FAVOURITE, site)).toBe(1)
})

test('a known address is connected by its reader, who then logs in with Facebook and disconnects', async ({
  page,
  facebook: { site, email },
}) => {
  const reader = { ...newReader(), email }
  await register(page, reader, site)
  await page.context().clearCookies()
  await goToFacebook(page, site)
  await answerFacebook(page, 'Allow', /\/accounts\/login/)
  // The page opens the log-in dialog, which hides the rest from roles.
  await expect(page.locator('main [role=alert]')).toContainText(
    'Log in to it, then connect Facebook',
  )
  expect(new URL(page.url()).searchParams.get('facebook')).toBeNull()

  await login(page).getByLabel('Email').fill(email)
  await login(page).getByLabel('Password').fill(reader.password)
  await login(page).getByLabel('Password').press('Enter')
  await page.waitForURL(site + FAVOURITE.page)
  await page.goto(site + HOME)
  await section(page).getByRole('link', { name: 'Connect Facebook' }).click()
  await answerFacebook(page, 'Allow', site + HOME)
  await expect(section(page)).toContainText('Facebook has confirmed that it is you.')
  await expect(section(page).getByRole('button', { name: 'Disconnect Facebook' })).toBeVisible()
  await axe(page, 'the connection with Facebook', '[aria-labelledby=connection-with-Facebook]')

  await logOut(page)
  await goToFacebook(page, site)
  await answerFacebook(page, 'Allow', site + FAVOURITE.page)
  await page.goto(site + HOME)
  await page.getByRole('button', { name: 'Delete your account' }).click()
  await page.getByRole('link', { name: 'Confirm with Facebook instead' }).click()
  await answerFacebook(page, 'Allow', site + HOME)
  await page.getByRole('button', { name: 'Delete your account' }).click()
  await page.getByRole('button', { name: 'Delete my account' }).last().click()
  await page.waitForURL(/\/profiles\/logout/)
  await expect(page.getByRole('button', { name: 'Log in or sign up' })).toBeVisible()
})
