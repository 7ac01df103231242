import { expect, test, type Page } from '@playwright/test'
import { pagePaths } from './catalogue'

interface Refusals {
  list: string[]
}

/** Collects what the browser refuses to load or run because of the page's Content-Security-Policy. */
async function listen(page: Page): Promise<Refusals> {
  const refusals: Refusals = { list: [] }
  await page.exposeFunction('refused', (what: string) => refusals.list.push(what))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { effectiveDirective, blockedURI, sample, sourceFile } = event
      const what = [location.pathname, effectiveDirective, blockedURI, sample, sourceFile].join(' ')
      ;(window as unknown as { refused: (what: string) => void }).refused(what)
    })
  })
  return refusals
}

test('no page asks for anything that the policy refuses', async ({ page, request }) => {
  test.setTimeout(300_000)
  const refusals = await listen(page)
  for (const path of Object.values(await pagePaths(request))) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.locator('main h1').first()).toBeAttached()
  }
  // Scripts add panels and dialogs, with their styles.
  await page.goto('/')
  await page.getByRole('button', { name: 'Log in or sign up' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByRole('dialog').getByLabel('Password')).toBeVisible()
  expect(refusals.list).toEqual([])
})

test('a violation of the policy is noticed, and does not run', async ({ page }) => {
  const refusals = await listen(page)
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
