import { expect, type Page } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pagePaths } from './catalogue'
import { settled } from './looks'
import { newReader, signUp } from './reader'
import { test } from './sites'

const WIDTHS = [360, 768, 1440]
const SCHEMES = ['light', 'dark'] as const

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

/** All screenshots on one page: a row for each name, with light and dark of each width side by side. */
function contactSheet(names: readonly string[]): string {
  const sizes = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => `${width}.${scheme}`))
  const cell = (file: string) =>
    `<td><a href="${file}.png"><img src="${file}.png" alt="${file}" loading="eager"></a></td>`
  const rows = names.map(
    (name) => `<tr><th>${name}</th>${sizes.map((size) => cell(`${name}-${size}`)).join('')}</tr>`,
  )
  return `<!doctype html><meta charset="utf-8"><title>Contact sheet</title>
<style>body{font:12px sans-serif;margin:8px}img{width:230px;height:300px;object-fit:cover;object-position:top;
border:1px solid #999}th{text-align:left;vertical-align:top;width:110px}</style>
<table><tr><th></th>${sizes.map((size) => `<th>${size}</th>`).join('')}</tr>${rows.join('\n')}</table>`
}

/** Scrolls to the end of the page and back, so that everything that loads lazily is loaded. */
async function readToTheEnd(): Promise<void> {
  for (let top = 0; top < document.body.scrollHeight; top += window.innerHeight / 2) {
    window.scrollTo(0, top)
    await new Promise((drawn) => setTimeout(drawn, 60))
  }
  window.scrollTo(0, 0)
}

// Not a check: `cargo xtask screenshots` takes these for people to look at.
test('pictures of every page @screenshots', async ({ page, request, serve }) => {
  test.setTimeout(1_800_000)
  const folder = process.env.SCREENSHOTS
  if (!folder) throw new Error('SCREENSHOTS must name the folder for the pictures')
  const taken: string[] = []

  const inEveryWidth = async (shoot: (width: number) => Promise<void>): Promise<void> => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await shoot(width)
    }
  }
  const inBothSchemes = async (name: string, fullPage: boolean): Promise<void> => {
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({ path: join(folder, `${name}.${colorScheme}.png`), fullPage })
    }
  }

  const take = async (paths: Record<string, string>): Promise<void> => {
    await inEveryWidth(async (width) => {
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(path)
        await settled(page)
        await page.evaluate(readToTheEnd)
        await page.waitForLoadState('networkidle')
        await inBothSchemes(`${name}-${width}`, true)
      }
    })
    taken.push(...Object.keys(paths))
  }

  const paths = await pagePaths(request)
  await take({ ...paths, 'sign-up': '/?signupDialogActive' })
  await inEveryWidth(async (width) => {
    for (const [name, open] of Object.entries(PANELS)) {
      await page.goto('/places/')
      await open(page)
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.waitForTimeout(400)
      await inBothSchemes(`${name}-${width}`, false)
    }
  })
  taken.push(...Object.keys(PANELS))

  await page.goto('/?signupDialogActive')
  await signUp(page, newReader())
  await page.goto('/places/')
  for (const index of [0, 1, 4]) {
    const heart = page.getByRole('button', { name: /^Favourite / }).nth(index)
    await heart.click()
    await expect(heart).toHaveAttribute('aria-pressed', 'true')
  }
  await take({
    'dashboard-home': '/accounts/dashboard#/home/',
    'dashboard-favourites': '/accounts/dashboard#/favourites/',
  })

  const news = await serve('news')
  const ofNews = ['home', 'section', 'article', 'place', 'videos', 'contests', 'not-found']
  await take(Object.fromEntries(ofNews.map((name) => [`news-${name}`, news + (paths[name] ?? '')])))

  const sheet = join(folder, 'index.html')
  writeFileSync(sheet, contactSheet(taken))
  await page.setViewportSize({ width: 1600, height: 1000 })
  await page.goto(pathToFileURL(sheet).href)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, 'contact-sheet.png'), fullPage: true })
})
