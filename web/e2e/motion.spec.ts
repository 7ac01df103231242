import { expect, test, type Page } from '@playwright/test'
import { stopClock } from './clock'
import { applicationRendered } from './layout'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

declare global {
  interface Window {
    transitions: string[][]
    /** The name of the picture at the end of each transition. */
    arrivals: string[]
  }
}

/** A page whose reader leaves during the next transition. */
interface Progress {
  moment: string
  /** The number of times that the reader has left. */
  left: number
  /** The number of running transitions. */
  running: number
}

/** Records the text of the cards with named pictures at the start of each view transition. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.transitions = []
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (options) => {
      const heroes = [...document.querySelectorAll('main *')].filter(
        (element) => getComputedStyle(element).getPropertyValue('view-transition-name') === 'hero',
      )
      window.transitions.push(heroes.map((element) => element.closest('article')?.innerText ?? ''))
      return start(options)
    }
  })
}

const seen = (page: Page) => page.evaluate(() => window.transitions)

test('following a card names its picture for the transition, and no other', async ({ page }) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await watch(page)
  await page.goto('/videos/')
  for (const index of [0, 1, 0]) {
    const card = page.locator('main article').nth(index)
    const name = (await card.locator('h3').textContent()) ?? ''
    const before = (await seen(page)).length
    await card.getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    const [heroes = []] = (await seen(page)).slice(before)
    expect(heroes).toHaveLength(1)
    expect(heroes[0]).toContain(name)
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Videos' })).toBeVisible()
  }
  expect(errors).toEqual([])
})

test('a card’s picture becomes the picture of its page, also on the first visit', async ({
  page,
}) => {
  await watch(page)
  await page.addInitScript(() => {
    window.arrivals = []
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (options) => {
      const transition = start(options)
      void transition.updateCallbackDone.then(() => {
        const hero = document.querySelector('main [data-hero]')
        window.arrivals.push(hero ? getComputedStyle(hero).viewTransitionName : '')
      })
      return transition
    }
  })
  await page.clock.install()
  await page.goto('/places/')
  const card = page.locator('main article:has(img)').first()
  const name = (await card.locator('h3').textContent()) ?? ''
  // After a second without the page's code and data, a navigation shows a skeleton.
  await stopClock(page)
  await card.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.arrivals.at(-1))).toBe('hero')
})

test('the bar does not fade over a scrolled page that a link of the menu leaves', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const fading: string[] = []
    Object.assign(window, { fading })
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (options) => {
      const transition = start(options)
      void transition.ready.then(() => {
        for (const { effect } of document.getAnimations()) {
          if (effect instanceof KeyframeEffect) fading.push(effect.pseudoElement ?? '')
        }
      })
      return transition
    }
  })
  await page.setViewportSize({ width: 360, height: 700 })
  await page.goto('/places/')
  await expect(page.locator('main article h3')).toHaveCount(12)
  await page.evaluate(() => window.scrollTo(0, 700))
  await page.getByRole('banner').getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Events' }).click()
  await expect(page).toHaveURL(/\/events\/$/)
  const fading = () => page.evaluate(() => (window as unknown as { fading: string[] }).fading)
  await expect.poll(fading).toContain('::view-transition-old(root)')
  expect((await fading()).filter((name) => /^::view-transition-(old|new).bar/.test(name))).toEqual(
    [],
  )
})

test('sorting starts no transition', async ({ page }) => {
  await watch(page)
  await page.goto('/places/')
  await expect(page.locator('main article h3')).toHaveCount(12)
  const before = (await seen(page)).length
  await page.getByLabel('Sort').selectOption({ label: 'Name, A to Z' })
  await expect(page).toHaveURL(/ordering=name$/)
  expect((await seen(page)).length).toBe(before)
})

test('there is no transition with reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await watch(page)
  await page.goto('/videos/')
  await page.locator('main article').first().getByRole('link').click()
  await expect(page).toHaveURL(/\/videos\/.+/)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Videos' })).toBeVisible()
  expect(await seen(page)).toEqual([])
})

test('navigating before a transition has ended causes no error', async ({ page }) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.addInitScript(() => {
    const progress = { moment: '', left: 0, running: 0 }
    Object.assign(window, { progress })
    const leave = () => {
      progress.left += 1
      document.querySelector<HTMLElement>('footer a[href="/places/"]')?.click()
    }
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (options) => {
      const { moment } = progress
      progress.moment = ''
      progress.running += 1
      const transition = start(options)
      const end = () => (progress.running -= 1)
      void transition.finished.then(end, end)
      if (moment === 'start') leave()
      if (moment === 'update') void transition.updateCallbackDone.then(leave)
      if (moment === 'animation') void transition.ready.then(leave)
      return transition
    }
  })
  const progress = () => page.evaluate(() => (window as unknown as { progress: Progress }).progress)
  await page.goto('/places/')
  await applicationRendered(page)
  const names = page.locator('main article h3')
  await expect(names).toHaveCount(12)
  for (const [turn, moment] of ['start', 'update', 'animation'].entries()) {
    await page.evaluate((when) => {
      ;(window as unknown as { progress: Progress }).progress.moment = when
      document.querySelector<HTMLElement>('main article h3 a')?.click()
    }, moment)
    await expect
      .poll(progress, { message: `left at the ${moment} of a transition` })
      .toEqual({ moment: '', left: turn + 1, running: 0 })
    await expect(page).toHaveURL(/\/places\/$/)
    await expect(names).toHaveCount(12)
  }
  await expect.poll(async () => (await progress()).running).toBe(0)
  expect(errors).toEqual([])
})
