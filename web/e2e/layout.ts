import { expect, type Page } from '@playwright/test'
import type axeCore from 'axe-core'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

declare global {
  interface Window {
    axe: typeof axeCore
  }
}

const AXE = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8')

interface Block {
  kind: string
  title: string | null
  limit: number
}

/** The rules whose result depends on the palette. */
const OF_COLOURS = { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] }

/** A page's content, without the bar and the footer, which are the same on every page. */
export const CONTENT: Part = { exclude: ['header:not(main header)', 'footer'] }

type Part = string | { exclude: string[] }

/** Expects that axe finds nothing in the page, or in a part of it, dark and light. */
export async function axe(page: Page, what: string, part?: Part): Promise<void> {
  // axe runs only in the main frame. Frames of ads are hidden from assistive technology.
  const frames = page.locator('iframe:not([inert][aria-hidden=true])')
  await expect(frames, `the frames of ${what}`).toHaveCount(0)
  // The dialog's code may still be loading.
  if (typeof part === 'string') await expect(page.locator(part).first()).toBeVisible()
  // Once per page: the script is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
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
      async ([checked, settings]) => {
        const found = await window.axe.run(checked ?? document, settings)
        return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
      },
      [part, options] as const,
    )
    expect(violations, `${what}, ${colorScheme}`).toEqual([])
  }
}

/** Layout errors: the page scrolls sideways, the bar has the wrong form, or the heading is hidden. */
export function layoutErrors(page: Page, width: number): Promise<string[]> {
  return page.evaluate((isLarge) => {
    const isShown = (element: Element | null): boolean => {
      if (!element?.checkVisibility({ visibilityProperty: true })) return false
      const box = element.getBoundingClientRect()
      return box.width > 0 && box.height > 0
    }
    const { scrollWidth, clientWidth } = document.documentElement
    const isWide = scrollWidth > clientWidth
    const hasBar = isShown(document.querySelector('nav[aria-label=Sections]'))
    const hasHeading = isShown(document.querySelector('main h1'))
    return [
      ...(isWide ? [`scrolls sideways by ${scrollWidth - clientWidth}`] : []),
      ...(hasBar === isLarge ? [] : ['the bar has the wrong form']),
      ...(hasHeading ? [] : ['its heading is hidden']),
    ]
  }, width >= 1025)
}

/** Waits until the page's content and fonts are loaded. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeAttached()
  await expect(page.locator('main [role=group][aria-label^=Loading]')).toHaveCount(0)
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
