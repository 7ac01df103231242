import { expect, type Page } from '@playwright/test'
import { restrictedArticle, results } from './catalogue'
import { openHomeVideos } from './layout'
import { logOut, newReader, signUp } from './reader'
import { test } from './sites'

// The exact texts that a guest can read: deploy/xtask/promises/texts.tsv lists them.

const exactly = (page: Page, text: string) => page.getByText(text, { exact: true })

async function openSearch(page: Page): Promise<void> {
  await page.goto('/contact/')
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
}

async function openPanel(page: Page): Promise<void> {
  await page.goto('/contact/')
  await page.getByRole('button', { name: 'Log in or sign up' }).click()
}

async function openLogin(page: Page) {
  await openPanel(page)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  return page.getByRole('dialog', { name: 'Sign up or Log in', exact: true })
}

test('the search panel', async ({ page }) => {
  await openSearch(page)
  const panel = page.getByRole('dialog', { name: 'What cha looking for?', exact: true })
  await expect(panel.getByRole('heading', { name: 'What cha looking for?' })).toBeVisible()
  const categories = ['All', 'Best of', 'Articles', 'Places', 'Events', 'Videos']
  await expect(panel.getByRole('group').locator('label')).toHaveText(categories)
  await expect(panel.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible()
})

test('the side menu', async ({ page }) => {
  await page.goto('/contact/')
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const menu = page.getByRole('dialog')
  for (const name of ['Restaurants', 'Latest News', 'Places', 'Videos', 'More']) {
    await expect(menu.getByText(name, { exact: true }).first()).toBeVisible()
  }
  for (const name of ['Neighbourhoods', 'Contests']) {
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible()
  }
  await menu.getByRole('button', { name: 'Latest News', exact: true }).hover()
  await expect(menu.getByRole('link', { name: 'All News', exact: true })).toBeVisible()
  await menu.getByRole('button', { name: 'Places', exact: true }).hover()
  await expect(menu.getByRole('link', { name: 'All Places', exact: true })).toBeVisible()
})

const BARS = {
  guide: [
    'Best Of',
    'Restaurants',
    'Latest News',
    'Places',
    'Events',
    'Neighbourhoods',
    'Contests',
  ],
  news: ['News', 'Culture', 'Food', 'Real Estate', 'Sports', 'Tech', 'Travel'],
} as const

test('the bar of each variant', async ({ page, serve }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const variant of ['guide', 'news'] as const) {
    await page.goto(`${await serve(variant)}/contact/`)
    const bar = page.getByRole('navigation', { name: 'Sections' })
    for (const name of BARS[variant]) {
      await expect(bar.getByRole('link', { name, exact: true })).toBeVisible()
    }
  }
})

test('the login dialog', async ({ page }) => {
  const dialog = await openLogin(page)
  await expect(dialog.getByRole('heading', { name: 'Sign up or Log in' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Log in to your account' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Forgot password?', exact: true })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Sign up', exact: true })).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'privacy policy' })).toHaveAttribute(
    'href',
    '/privacy/',
  )
  await expect(dialog.getByRole('link', { name: 'terms of service' })).toHaveAttribute(
    'href',
    '/termsofservice/',
  )
})

test('the reset dialog', async ({ page }) => {
  const login = await openLogin(page)
  await login.getByRole('button', { name: 'Forgot password?', exact: true }).click()
  await expect(login).toBeHidden()
  const dialog = page.getByRole('dialog', { name: 'Reset your password', exact: true })
  await expect(dialog.getByLabel('Email used for account', { exact: true })).toBeVisible()
})

test('a login that is refused', async ({ page }) => {
  const dialog = await openLogin(page)
  await dialog.getByRole('button', { name: 'Log in to your account' }).click()
  await expect(dialog.getByText('* This field may not be blank.', { exact: true })).toHaveCount(2)
})

test('a login, and who is logged in', async ({ page }) => {
  const reader = newReader()
  await openPanel(page)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await signUp(page, reader)
  await page.getByRole('button', { name: 'Your account', exact: true }).click()
  await expect(exactly(page, 'Logged in as Robin Ames')).toBeVisible()
  await expect(exactly(page, 'Log out now')).toBeVisible()
  await page.keyboard.press('Escape')
  await logOut(page)

  const dialog = await openLogin(page)
  await dialog.getByLabel('Email', { exact: true }).fill(reader.email)
  await dialog.getByLabel('Password').fill(reader.password)
  // The message is shown for a moment before the page reloads.
  await page.evaluate((text) => {
    new MutationObserver(() => {
      const status = document.querySelector('dialog [role=status], [role=dialog] [role=status]')
      if (status?.textContent === text) sessionStorage.setItem('said', text)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  }, 'Login successful.')
  const loaded = page.waitForEvent('load')
  await dialog.getByRole('button', { name: 'Log in to your account' }).click()
  await loaded
  expect(await page.evaluate(() => sessionStorage.getItem('said'))).toBe('Login successful.')
})

test('the sign-up dialog', async ({ page }) => {
  await page.goto('/contact/?signupDialogActive')
  const dialog = page.getByRole('dialog', { name: 'Create your free account', exact: true })
  await expect(dialog.getByRole('heading', { name: 'Create your free account' })).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill('one')
  await dialog.getByLabel('Repeat the password').fill('another')
  await dialog.getByRole('button', { name: 'Sign up', exact: true }).click()
  const message = "* The two passwords fields didn't match."
  await expect(dialog.getByText(message, { exact: true })).toBeVisible()
})

test('the age gate', async ({ page, request }) => {
  await page.goto((await restrictedArticle(request)).share_url)
  const gate = page.getByRole('alertdialog', { name: 'Age Restricted Content', exact: true })
  for (const text of [
    'Age Restricted Content',
    'Yes, I am of legal age',
    'No, I am not of legal age',
    'Remember my selection for 30 days.',
    'I confirm that this is not a shared device.',
  ]) {
    await expect(gate.getByText(text, { exact: true })).toBeVisible()
  }
})

test('a grid with more than it shows', async ({ page }) => {
  await page.goto('/places/')
  await expect(page.getByRole('button', { name: 'Load More', exact: true })).toBeVisible()
})

test('a carousel', async ({ page, request }) => {
  await page.setViewportSize({ width: 640, height: 800 })
  const limit = await openHomeVideos(page)
  const { length } = await results(request, `/api/v2/videos/?limit=${limit}`)
  await expect(exactly(page, `1 of ${length}`)).toBeVisible()
})

test('a closed place', async ({ page, request }) => {
  const [closed] = await results(request, '/api/v2/listings/?is_closed=1&limit=1')
  await page.goto(closed?.share_url ?? '')
  const badge = page.getByRole('complementary', { name: 'About this place' })
  await expect(badge.getByText('Closed', { exact: true })).toBeVisible()
})
