import { expect, type Page } from '@playwright/test'
import { pagePaths } from './catalogue'
import { test, VARIANTS } from './sites'
import { settled } from './looks'

/** Both sides of each breakpoint of the spec, section 9. */
const WIDTHS = [639, 640, 940, 941, 1019, 1020, 1024, 1025]

test.describe.configure({ mode: 'parallel' })

/** Layout errors: the page scrolls sideways, the bar has the wrong form, or the heading is hidden. */
async function faults(page: Page, width: number): Promise<string[]> {
  const found = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? [`scrolls sideways by ${scrollWidth - clientWidth}`] : []
  })
  const bar = page.locator('nav[aria-label=Sections]')
  if ((await bar.isVisible()) !== width >= 1025) found.push('the bar has the wrong form')
  if (!(await page.locator('main h1').first().isVisible())) found.push('its heading is hidden')
  return found
}

for (const variant of VARIANTS) {
  test(`every route of the ${variant} site at both sides of each breakpoint`, async ({
    page,
    request,
    serve,
  }) => {
    test.setTimeout(300_000)
    const site = await serve(variant)
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 404')) {
        complaints.push(message.text())
      }
    })
    for (const [name, path] of Object.entries(await pagePaths(request))) {
      await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 900 })
      await page.goto(site + path)
      await settled(page)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        expect(await faults(page, width), `${name} at ${width} px`).toEqual([])
      }
    }
    expect(complaints).toEqual([])
  })
}
