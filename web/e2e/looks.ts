import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

interface Block {
  kind: string
  title: string | null
  limit: number
}

/** axe finds nothing in the page, or in a part of it, dark and light. */
export async function axe(page: Page, what: string, within?: string): Promise<void> {
  // A page without frames allows the legacy mode, which opens no page of its own: that would take longer than
  // all the rules.
  expect(page.frames(), `the frames of ${what}`).toHaveLength(1)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
    builder.setLegacyMode()
    if (within) builder.include(within)
    const { violations } = await builder.analyze()
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`),
      `${what}, ${colorScheme}`,
    ).toEqual([])
  }
}

/** Waits until the page's content and fonts are loaded. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeAttached()
  await expect(page.locator('main [role=status][aria-label^=Loading]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

/** Waits until the application has replaced the server's markup. */
export async function isTakenOver(page: Page): Promise<void> {
  // The application renders the account's button; the server only reserves its space.
  await expect(page.getByRole('button', { name: /Log in or sign up|Your account/ })).toBeVisible()
}

/** Opens the front page and goes down to its videos; returns the maximum number of them. */
export async function openHomeVideos(page: Page): Promise<number> {
  const site = (await (await page.request.get('/api/v2/site/')).json()) as { home: Block[] }
  const block = site.home.find(({ kind }) => kind === 'videos')
  await page.goto('/')
  await page.getByRole('heading', { name: block?.title ?? 'no videos' }).scrollIntoViewIfNeeded()
  return block?.limit ?? 0
}
