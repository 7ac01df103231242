import { expect, type Page } from '@playwright/test'
import axeCore from 'axe-core'

declare global {
  interface Window {
    axe: typeof axeCore
  }
}

interface Block {
  kind: string
  title: string | null
  limit: number
}

/** The rules whose result depends on the palette. */
const OF_COLOURS = { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] }

/** Expects that axe finds nothing in the page, or in a part of it, dark and light. */
export async function axe(page: Page, what: string, within?: string): Promise<void> {
  // axe runs only in the main frame. Frames of ads are hidden from assistive technology.
  const frames = page.locator('iframe:not([inert][aria-hidden=true])')
  await expect(frames, `the frames of ${what}`).toHaveCount(0)
  // The dialog's code may still be loading.
  if (within !== undefined) await expect(page.locator(within).first()).toBeVisible()
  // Once per page: the script is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // During a transition the colours belong to neither scheme.
    await page.evaluate(async () => {
      const running = document.getAnimations().filter((one) => one instanceof CSSTransition)
      await Promise.allSettled(running.map(({ finished }) => finished))
    })
    const options: axeCore.RunOptions = {
      resultTypes: ['violations'],
      iframes: false,
      ...(colorScheme === 'light' && { runOnly: OF_COLOURS }),
    }
    const violations = await page.evaluate(
      async ([selector, settings]) => {
        const found = await window.axe.run(selector ?? document, settings)
        return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
      },
      [within, options] as const,
    )
    expect(violations, `${what}, ${colorScheme}`).toEqual([])
  }
}

/** Layout errors: the page scrolls sideways, the bar has the wrong form, or the heading is hidden. */
export async function layoutErrors(page: Page, width: number): Promise<string[]> {
  const found = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? [`scrolls sideways by ${scrollWidth - clientWidth}`] : []
  })
  const bar = page.locator('nav[aria-label=Sections]')
  if ((await bar.isVisible()) !== width >= 1025) found.push('the bar has the wrong form')
  if (!(await page.locator('main h1').first().isVisible())) found.push('its heading is hidden')
  return found
}

/** Waits until the page's content and fonts are loaded. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeAttached()
  await expect(page.locator('main [role=status][aria-label^=Loading]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

/** Waits until the application has replaced the server's markup. */
export async function applicationRendered(page: Page): Promise<void> {
  // The application renders the account's button; the server only reserves its space.
  await expect(page.getByRole('button', { name: /Log in or sign up|Your account/ })).toBeVisible()
}

/** Opens the front page and scrolls to its videos; returns their maximum number. */
export async function openHomeVideos(page: Page): Promise<number> {
  const site = (await (await page.request.get('/api/v2/site/')).json()) as { home: Block[] }
  const block = site.home.find(({ kind }) => kind === 'videos')
  await page.goto('/')
  await page.getByRole('heading', { name: block?.title ?? 'no videos' }).scrollIntoViewIfNeeded()
  return block?.limit ?? 0
}
