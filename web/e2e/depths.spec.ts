import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'

/** A small phone, on which the first viewport is 760 px tall. */
const PHONE = { width: 360, height: 760 }

interface Place {
  id: number
  name: string
  share_url: string
  line: string | null
}

/** The distance of an element's top from the page's top, in px, once the fonts are loaded. */
async function depth(page: Page, selector: string): Promise<number> {
  await page.evaluate(() => document.fonts.ready)
  const element = page.locator(selector).first()
  // The application may have just replaced the server's markup.
  let top = Number.POSITIVE_INFINITY
  await expect(async () => {
    const box = await element.boundingBox()
    expect(box).not.toBeNull()
    top = box?.y ?? top
  }).toPass()
  return top
}

test.use({ viewport: PHONE })

test('a story begins within the first screen of a phone', async ({ page, request }) => {
  const places = await results<Place>(request, '/api/v2/listings/?reviewed=1&limit=100')
  const longest = places.toSorted(
    (one, other) => (other.line?.length ?? 0) - (one.line?.length ?? 0),
  )
  for (const { share_url: path } of [...places.slice(0, 2), ...longest.slice(0, 1)]) {
    await page.goto(path)
    expect(await depth(page, 'article [class*=Prose]'), path).toBeLessThanOrEqual(620)
  }
})

test('a page of events shows twelve of them on two screens of a phone', async ({ page }) => {
  await page.goto('/events/')
  const rows = page.locator('main article')
  await expect(rows).toHaveCount(12)
  const [first, last] = [await rows.first().boundingBox(), await rows.last().boundingBox()]
  if (!first || !last) throw new Error('The events are not shown')
  expect(last.y + last.height - first.y).toBeLessThanOrEqual(2 * PHONE.height)
})

test('lists show their first card within 300 px of a phone, and controls cover at most 12 % of pictures', async ({
  page,
}) => {
  for (const path of ['/', '/places/', '/restaurants/', '/contests/', '/videos/']) {
    await page.goto(path)
    if (path !== '/') expect(await depth(page, 'main article'), path).toBeLessThanOrEqual(300)
    if (!['/', '/places/', '/videos/'].includes(path)) continue
    const shares = await coveredShares(page)
    expect(shares.length, path).toBeGreaterThan(3)
    expect(Math.max(...shares), path).toBeLessThanOrEqual(0.12)
  }
})

/** The share of each card's picture that controls cover. */
async function coveredShares(page: Page): Promise<number[]> {
  await expect(page.locator('main article button[data-saves]').first()).toBeVisible()
  return page.locator('main article').evaluateAll((cards) =>
    cards.flatMap((card) => {
      const picture = card.querySelector('img')?.getBoundingClientRect()
      if (!picture?.width) return []
      const covered = [...card.querySelectorAll('button')].map((button) => {
        // The visible circle, without the rest of the target.
        const { width, height } = getComputedStyle(button, '::before')
        const at = button.getBoundingClientRect()
        const isOver = at.left < picture.right && at.top < picture.bottom && at.right > picture.left
        return isOver ? Number.parseFloat(width) * Number.parseFloat(height) : 0
      })
      return [covered.reduce((sum, area) => sum + area, 0) / (picture.width * picture.height)]
    }),
  )
}
