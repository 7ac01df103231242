import type { Page } from '@playwright/test'

interface Refusals {
  list: string[]
}

/** Collects everything that the browser blocks because of the page's Content-Security-Policy. */
export async function listenToPolicy(page: Page): Promise<Refusals> {
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
