import { expect, type Page } from '@playwright/test'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pagePaths } from './catalogue'
import { inBothSchemes, inEveryWidth, screenshotPages, writeContactSheet } from './screenshots'
import { test } from './sites'

const PANELS: Record<string, (page: Page) => Promise<void>> = {
  'panel-menu': (page) => page.getByRole('button', { name: 'Menu', exact: true }).click(),
  'panel-search': (page) =>
    page.getByRole('banner').getByRole('button', { name: 'Search' }).click(),
  'panel-profile': (page) => page.getByRole('button', { name: 'Log in or sign up' }).click(),
  'dialog-login': async (page) => {
    await page.getByRole('button', { name: 'Log in or sign up' }).click()
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
  },
  'dialog-reset': async (page) => {
    await page.getByRole('button', { name: 'Log in or sign up' }).click()
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('button', { name: 'Forgot password?' }).click()
  },
}

// Not checks: `cargo xtask screenshots` takes these for people to look at. Readers' pages are in
// screenshots-of-readers.spec.ts, which runs before this file.

test('pictures of every page @screenshots', async ({ page, request, serve }) => {
  test.setTimeout(1_800_000)
  const paths = await pagePaths(request)
  await screenshotPages(page, { ...paths, 'sign-up': '/?signupDialogActive' })
  await inEveryWidth(page, async (width) => {
    for (const [name, open] of Object.entries(PANELS)) {
      await page.goto('/places/')
      await open(page)
      await expect(page.getByRole('dialog')).toBeVisible()
      await inBothSchemes(page, `${name}-${width}`, false)
    }
  })

  const news = await serve('news')
  const ofNews = ['home', 'section', 'article', 'place', 'videos', 'contests', 'not-found']
  await screenshotPages(
    page,
    Object.fromEntries(ofNews.map((name) => [`news-${name}`, news + (paths[name] ?? '')])),
  )
})

test('the contact sheet @screenshots', async ({ page }) => {
  const sheet = writeContactSheet()
  await page.setViewportSize({ width: 1600, height: 1000 })
  await page.goto(pathToFileURL(sheet).href)
  await page.screenshot({ path: join(dirname(sheet), 'contact-sheet.png'), fullPage: true })
})
