import { expect } from '@playwright/test'
import { axe } from './layout'
import { listenToPolicy } from './policy'
import { test } from './sites'
import { vitals, watchVitals } from './vitals'

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 40">
<style>path { fill: #16130f } @media (prefers-color-scheme: dark) { path { fill: #f4efe6 } }</style>
<path d="M20 4a16 16 0 1 0 .1 0zm0 8a8 8 0 1 1-.1 0zM52 8h96v6H52zm0 12h72v6H52zm0 12h96v4H52z"/>
</svg>`
const FILE = '[logo]\nfile = "brand.svg"\nwidth = 160\nheight = 40'

test('a logo stands for the name in the bar and the footer, and moves nothing', async ({
  page,
  browser,
  serve,
}) => {
  const site = await serve('guide', { also: FILE, files: { 'brand.svg': LOGO } })
  const refusals = await listenToPolicy(page)
  await watchVitals(page)
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const loaded = page.waitForResponse((answer) => answer.url().includes('/media/logo/'))
    await page.goto(`${site}/contact/`)
    const answer = await loaded
    const headers = answer.headers()
    expect(headers['content-type']).toBe('image/svg+xml')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-security-policy']).toContain("default-src 'none'")

    const home = page.getByRole('link', { name: 'Turning Loop, front page' })
    for (const logo of [
      home.getByAltText('Turning Loop'),
      page.getByRole('contentinfo').getByRole('img', { name: 'Turning Loop' }),
    ]) {
      await logo.evaluate((one: HTMLImageElement) => {
        one.scrollIntoView()
      })
      await expect(logo).toBeVisible()
      await expect
        .poll(() => logo.evaluate((one: HTMLImageElement) => one.naturalWidth))
        .toBeGreaterThan(0)
      const box = await logo.boundingBox()
      expect([box?.width, box?.height]).toEqual([128, 32])
    }
    await expect(home).toHaveText('')
    await axe(page, `a page with a logo at ${width}`)
    expect((await vitals(page)).cls).toBe(0)
  }
  expect(refusals.list).toEqual([])

  const plain = await browser.newContext({ javaScriptEnabled: false })
  const reader = await plain.newPage()
  await reader.goto(`${site}/contact/`)
  await expect(reader.getByRole('banner').getByAltText('Turning Loop')).toBeVisible()
  await expect(reader.getByRole('contentinfo').getByAltText('Turning Loop')).toBeVisible()
  await plain.close()
})
