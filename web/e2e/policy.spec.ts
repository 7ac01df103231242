import { expect, test } from '@playwright/test'
import { listenToPolicy } from './policy'

test('a violation of the policy is reported, and does not run', async ({ page }) => {
  const refusals = await listenToPolicy(page)
  await page.goto('/')
  await expect(page.locator('main h1').first()).toBeAttached()
  const outcomes = await page.evaluate(() => {
    const element = document.createElement('div')
    const tries = [
      () => (element.innerHTML = '<b>text</b>'),
      () => {
        const script = document.createElement('script')
        script.textContent = 'window.ran = true'
        document.head.append(script)
      },
      () =>
        (
          window as unknown as {
            trustedTypes: { createPolicy: (name: string, rules: object) => void }
          }
        ).trustedTypes.createPolicy('another', {}),
    ]
    return tries.map((attempt) => {
      try {
        attempt()
        return 'done'
      } catch {
        return 'refused'
      }
    })
  })
  expect(outcomes).toEqual(['refused', 'refused', 'refused'])
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  await expect.poll(() => refusals.list.length).toBeGreaterThanOrEqual(3)
})
