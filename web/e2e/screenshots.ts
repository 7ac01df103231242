import { expect, type Page } from '@playwright/test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settled } from './layout'
import { pageLoaded } from './requests'
import { scrollDown } from './scrolling'

const WIDTHS = [360, 768, 1440]
const SCHEMES = ['light', 'dark'] as const

function folder(): string {
  const name = process.env.SCREENSHOTS
  if (!name) throw new Error('SCREENSHOTS must name the folder for the pictures')
  return name
}

export async function inEveryWidth(
  page: Page,
  shoot: (width: number) => Promise<void>,
): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await shoot(width)
  }
}

export async function inBothSchemes(page: Page, name: string, fullPage: boolean): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    const path = join(folder(), `${name}.${colorScheme}.png`)
    await page.screenshot({ path, fullPage, animations: 'disabled' })
  }
}

/** Takes screenshots of the current page, in every width. */
export async function screenshotPage(page: Page, name: string, fullPage = false): Promise<void> {
  await inEveryWidth(page, (width) => inBothSchemes(page, `${name}-${width}`, fullPage))
}

/** Takes screenshots of an open dialog, in every width. */
export async function screenshotDialog(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('dialog')).toBeVisible()
  await screenshotPage(page, name)
}

/** Takes screenshots of whole pages, in every width. */
export async function screenshotPages(page: Page, paths: Record<string, string>): Promise<void> {
  await inEveryWidth(page, async (width) => {
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(path)
      await settled(page)
      // Lazy content loads when the reader comes near it.
      await scrollDown(page)
      await pageLoaded(page)
      await page.evaluate(() => window.scrollTo(0, 0))
      await inBothSchemes(page, `${name}-${width}`, true)
    }
  })
}

/** Writes the page with all screenshots of the folder; returns its file. */
export function writeContactSheet(): string {
  const first = `-${WIDTHS[0] ?? ''}.${SCHEMES[0]}.png`
  const names = readdirSync(folder())
    .filter((file) => file.endsWith(first))
    .map((file) => file.slice(0, -first.length))
  const sheet = join(folder(), 'index.html')
  writeFileSync(sheet, contactSheet(names.sort()))
  return sheet
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
