import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { pagePaths } from './catalogue'
import { newReader, signUp } from './reader'

// For looking, not for judging: `SCREENSHOTS=folder npx playwright test`.
test('pictures of every page @screenshots', async ({ page, request }) => {
  test.setTimeout(600_000)
  const folder = process.env.SCREENSHOTS
  if (!folder) throw new Error('SCREENSHOTS names the folder that the pictures go to')

  const take = async (paths: Record<string, string>): Promise<void> => {
    for (const width of [360, 768, 1440]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        for (const [name, path] of Object.entries(paths)) {
          await page.goto(path)
          await page.waitForLoadState('load')
          await expect(page.locator('main [role=status][aria-label^=Loading]')).toHaveCount(0)
          // Pictures further down load as they come into sight.
          await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
          await page.waitForLoadState('networkidle')
          await page.evaluate(() => window.scrollTo(0, 0))
          await page.waitForTimeout(400)
          const file = join(folder, `${name}-${width}-${colorScheme}.png`)
          await page.screenshot({ path: file, fullPage: true })
        }
      }
    }
  }

  await take({ ...(await pagePaths(request)), 'sign-up': '/?signupDialogActive' })
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
})
