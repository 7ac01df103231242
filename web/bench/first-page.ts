import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { pagePaths } from '../e2e/catalogue'
import { compressedSize, htmlAndCriticalCss } from '../e2e/critical-css'
import { applicationRendered } from '../e2e/layout'
import { saveBuilt, saveStatic, staticPath } from './static-page'
import { PHONE, visit, type VisitCost } from './visit'

/** The pages, by their names in the table and in `pagePaths`. */
const PAGES = {
  home: 'home',
  list: 'type',
  'best-of': 'best-of-list',
  events: 'events',
  tonight: 'tonight',
  search: 'search',
  place: 'place',
  article: 'article',
}

interface PageFigures {
  name: string
  path: string
  /** The used style rules, in bytes after brotli. */
  critical_css: number
  site: VisitCost[]
  static: VisitCost[]
}

test('the cost of a first page', async ({ browser, request }) => {
  const rounds = Number(env('BENCH_ROUNDS'))
  const [site, files, empty] = [env('BASE_URL'), env('STATIC_URL'), env('EMPTY_URL')]
  const paths: Record<string, string> = { ...(await pagePaths(request)), tonight: '/tonight/' }
  const pages: PageFigures[] = []
  for (const [name, kind] of Object.entries(PAGES)) {
    const path = paths[kind] ?? ''
    await saveStatic(site, path, env('STATIC_FOLDER'))
    const page = await browser.newPage(PHONE)
    const { critical } = await htmlAndCriticalCss(page, site + path)
    await page.close()
    const critical_css = compressedSize(critical)
    pages.push({ name, path, critical_css, site: [], static: [] })
  }
  saveApplication(env('EMPTY_BUILD'), env('EMPTY_FOLDER'))

  const nothing: VisitCost[] = []
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    for (const page of pages) {
      const ours = await visit(browser, site + page.path, applicationRendered)
      const theirs = await visit(browser, files + staticPath(page.path), isShown)
      if (round > 0) {
        page.site.push(ours)
        page.static.push(theirs)
      }
    }
    const turn = await visit(browser, empty, isShown)
    if (round > 0) nothing.push(turn)
  }
  const results = { browser: browser.version(), pages, empty: nothing }
  writeFileSync(env('BENCH_RESULTS'), JSON.stringify(results))
})

async function isShown(page: Page): Promise<void> {
  await expect(page.locator('h1, h2').first()).toBeVisible()
}

/** Saves the files of Vite's build, and compresses them again. */
function saveApplication(build: string, folder: string): void {
  for (const path of readdirSync(build, { recursive: true, encoding: 'utf8' })) {
    if (/\.(html|js|css)$/.test(path)) saveBuilt(folder, path, readFileSync(join(build, path)))
  }
}

function env(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run "cargo xtask bench web"`)
  return value
}
