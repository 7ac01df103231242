import { expect } from '@playwright/test'
import { pagePaths } from './catalogue'
import { test } from './sites'
import { layoutErrors, settled } from './layout'

/** Widths on both sides of each breakpoint. `pages.spec.ts` tests the guide site at its breakpoints. */
const WIDTHS = [639, 640, 940, 941, 1019, 1020, 1024, 1025]

/** Pages of each layout. The variants have the same templates and styles, with other colours and another bar. */
const PAGES = ['home', 'section', 'article', 'place', 'places', 'events']

test('the news site at both sides of each breakpoint', async ({ page, request, serve }) => {
  const site = await serve('news')
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 404')) {
      complaints.push(message.text())
    }
  })
  const paths = await pagePaths(request)
  for (const name of PAGES) {
    const path = paths[name] ?? ''
    await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 900 })
    await page.goto(site + path)
    await settled(page)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      expect(await layoutErrors(page, width), `${name} at ${width} px`).toEqual([])
    }
  }
  expect(complaints).toEqual([])
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
    const site = variant === 'guide' ? '' : await serve(variant)
    await page.goto(`${site}/contact/`)
    const bar = page.getByRole('navigation', { name: 'Sections' })
    for (const name of BARS[variant]) {
      await expect(bar.getByRole('link', { name, exact: true })).toBeVisible()
    }
  }
})
