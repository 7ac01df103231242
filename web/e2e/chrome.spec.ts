import { expect, test, type Page } from '@playwright/test'
import { rendered, stopClock } from './clock'
import { axe } from './layout'
import { canScroll } from './scrolling'

interface Menu {
  cards: { title: string; share_url: string }[]
  links: { label: string; href: string }[]
}

interface Navigation {
  restaurants?: Menu
  latest_news?: Menu
  places?: Menu
  videos?: { href: string }
  more: { label: string; href: string }[]
}

const menuButton = (page: Page) => page.getByRole('button', { name: 'Menu', exact: true })
const sideMenu = (page: Page) => page.getByRole('dialog').getByRole('navigation', { name: 'Menu' })
const entry = (page: Page, name: string) => sideMenu(page).getByRole('button', { name })

async function open(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.goto('/contact/')
  await menuButton(page).click()
  await expect(entry(page, 'Places')).toBeVisible()
}

test.describe('the side menu', () => {
  test('lists its menus, and links each place type', async ({ page, request }) => {
    const navigation = (await (await request.get('/api/v2/navigation/')).json()) as Navigation
    await open(page, 1440)
    for (const [name, menu, all] of [
      ['Restaurants', navigation.restaurants, []],
      ['Latest News', navigation.latest_news, ['All News']],
      ['Places', navigation.places, ['All Places']],
    ] as const) {
      if (!menu) throw new Error(`No menu of ${name}`)
      await entry(page, name).hover()
      for (const card of menu.cards) {
        await expect(sideMenu(page).getByRole('link', { name: card.title })).toHaveAttribute(
          'href',
          card.share_url,
        )
      }
      for (const link of menu.links) {
        await expect(
          sideMenu(page).getByRole('link', { name: link.label, exact: true }).first(),
        ).toHaveAttribute('href', link.href)
      }
      for (const text of all) {
        await expect(sideMenu(page).getByRole('link', { name: text, exact: true })).toBeVisible()
      }
    }
    for (const link of [navigation.videos, ...navigation.more]) {
      await expect(sideMenu(page).locator(`a[href="${link?.href}"]`)).toHaveCount(1)
    }
    for (const name of ['Restaurants', 'Latest News', 'Places', 'Videos', 'More']) {
      await expect(sideMenu(page).getByText(name, { exact: true }).first()).toBeVisible()
    }
    for (const name of ['Neighbourhoods', 'Contests']) {
      await expect(sideMenu(page).getByRole('link', { name, exact: true })).toBeVisible()
    }
    await sideMenu(page).getByRole('link', { name: 'All Places', exact: true }).click()
    await expect(page).toHaveURL(/\/places\/$/)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('opens its menus on hover from 1025 px on', async ({ page }) => {
    await open(page, 1025)
    const places = sideMenu(page).getByRole('link', { name: 'All Places' })
    const news = sideMenu(page).getByRole('link', { name: 'All News' })
    await expect(places).toBeHidden()
    await entry(page, 'Places').hover()
    await expect(places).toBeVisible()
    await entry(page, 'Latest News').hover()
    await expect(news).toBeVisible()
    await expect(places).toBeHidden()

    // Its own button closes and opens it.
    await menuButton(page).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await menuButton(page).click()
    await expect(sideMenu(page)).toBeVisible()
  })

  test('opens its menus on click up to 1024 px, and not on hover', async ({ page }) => {
    await page.clock.install()
    await open(page, 1024)
    const places = sideMenu(page).getByRole('link', { name: 'All Places' })
    await stopClock(page)
    await entry(page, 'Places').hover()
    await page.clock.runFor(10_000)
    await rendered(page)
    await expect(places).toBeHidden()
    await page.clock.resume()
    await entry(page, 'Places').click()
    await expect(places).toBeVisible()
    await entry(page, 'Places').click()
    await expect(places).toBeHidden()
  })

  test('opens its menus on touch at any width', async ({ browser }) => {
    const context = await browser.newContext({
      hasTouch: true,
      viewport: { width: 800, height: 800 },
    })
    const page = await context.newPage()
    await page.goto('/contact/')
    for (const width of [800, 1300]) {
      // When the bar changes its form, the menu closes.
      await page.setViewportSize({ width, height: 800 })
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await menuButton(page).tap()
      await entry(page, 'Places').tap()
      await expect(sideMenu(page).getByRole('link', { name: 'All Places' })).toBeVisible()
      await expect(entry(page, 'Places')).toHaveAttribute('aria-expanded', 'true')
    }
    await context.close()
  })

  test('works by keyboard alone, and returns the focus', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 800 })
    await page.goto('/contact/')
    await menuButton(page).focus()
    await page.keyboard.press('Enter')
    await expect(entry(page, 'Latest News')).toBeVisible()
    await entry(page, 'Latest News').focus()
    await page.keyboard.press('Enter')
    const all = sideMenu(page).getByRole('link', { name: 'All News' })
    await expect(all).toBeVisible()
    // The opened panel is next in the tab order.
    await page.keyboard.press('Tab')
    const first = sideMenu(page).getByRole('button', { name: 'Latest News' }).locator('xpath=..')
    expect(await first.evaluate((node) => node.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(menuButton(page)).toBeFocused()
  })

  test('takes 500 ms to hide, and none with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await open(page, 800)
    const isHidden = () => expect(page.getByRole('dialog')).toHaveCount(0)
    // The transitions of the closing menu, with their durations.
    await page.evaluate(() => {
      const hiding: unknown[] = []
      Object.assign(window, { hiding })
      document.addEventListener('transitionrun', ({ target, propertyName }) => {
        if (!(target instanceof Element) || !target.matches('[role=dialog][data-ending-style]'))
          return
        for (const animation of target.getAnimations()) {
          const { transitionProperty } = animation as CSSTransition
          if (transitionProperty === propertyName) {
            hiding.push([propertyName, animation.effect?.getTiming().duration])
          }
        }
      })
    })
    const hiding = () => page.evaluate(() => (window as unknown as { hiding: unknown[] }).hiding)
    await page.keyboard.press('Escape')
    await isHidden()
    expect(await hiding()).toContainEqual(['transform', 500])

    await page.emulateMedia({ reducedMotion: 'reduce' })
    await menuButton(page).click()
    await expect(entry(page, 'Places')).toBeVisible()
    const before = await hiding()
    await page.keyboard.press('Escape')
    await isHidden()
    expect(await hiding()).toEqual(before)
  })
})

test('the menus at each size', async ({ page }) => {
  for (const width of [360, 768, 1440]) {
    if (width === 360) {
      await open(page, width)
      await entry(page, 'Places').click()
    } else {
      await page.setViewportSize({ width, height: 800 })
      // When the bar changes its form, the menu closes.
      if (width > 1024) {
        await expect(page.getByRole('dialog')).toHaveCount(0)
        await menuButton(page).click()
        await entry(page, 'Places').click()
      }
    }
    await expect(sideMenu(page).getByRole('link', { name: 'All Places' })).toBeVisible()
    // The menu has two forms.
    if (width !== 768) await axe(page, `places menu at ${width}`)
    if (width > 1024) continue
    for (const target of await sideMenu(page).getByRole('link').all()) {
      expect((await target.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44)
    }
  }
})

test.describe('the panels', () => {
  const search = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Search' })
  const profile = (page: Page) => page.getByRole('button', { name: 'Log in or sign up' })

  test('exclude each other on a large screen', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 800 })
    await page.goto('/places/')
    const dialog = (name: string) => page.getByRole('dialog', { name })
    for (const [button, name] of [
      [search(page), 'What cha looking for?'],
      [profile(page), 'Your account'],
      [menuButton(page), ''],
      [search(page), 'What cha looking for?'],
    ] as const) {
      await button.click()
      await expect(button).toHaveAttribute('aria-expanded', 'true')
      if (name) await expect(dialog(name)).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(1)
      await expect(page.locator('header button[aria-expanded=true]')).toHaveCount(1)
    }
  })

  test('lock scrolling up to 1024 px, and a resize to large releases it', async ({ page }) => {
    await page.setViewportSize({ width: 639, height: 800 })
    await page.goto('/places/')
    await expect(page.locator('main article h3').first()).toBeVisible()
    // The first and the last width of the small bar.
    for (const width of [360, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
      for (const button of [menuButton(page), profile(page), search(page)]) {
        await button.click()
        await expect(page.getByRole('dialog')).toBeVisible()
        expect(await canScroll(page), `${width} px`).toBe(false)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
        await expect(button).toBeFocused()
      }
      await menuButton(page).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.setViewportSize({ width: 1025, height: 800 })
      await expect(page.getByRole('dialog')).toHaveCount(0)
      expect(await canScroll(page), `from ${width} to 1025 px`).toBe(true)
    }

    // Nothing is locked from 1025 px on.
    for (const button of [menuButton(page), profile(page), search(page)]) {
      await button.click()
      await expect(page.getByRole('dialog')).toBeVisible()
      expect(await canScroll(page)).toBe(true)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  })

  test('release the lock when the reader navigates, also by Back', async ({ page }) => {
    await page.setViewportSize({ width: 800, height: 800 })
    await page.goto('/neighbourhoods/')
    await menuButton(page).click()
    await sideMenu(page).getByRole('link', { name: 'Videos', exact: true }).click()
    await expect(page).toHaveURL(/\/videos\/$/)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await menuButton(page).click()
    await expect(sideMenu(page)).toBeVisible()
    // Back closes the menu, and then leaves the page.
    await page.goBack()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await canScroll(page)).toBe(true)
    await expect(page).toHaveURL(/\/videos\/$/)
    await page.goBack()
    await expect(page).toHaveURL(/\/neighbourhoods\/$/)
  })

  test('keep the focus on a small screen, and Escape closes the topmost alone', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 800, height: 800 })
    await page.goto('/places/')
    await search(page).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('combobox')).toBeFocused()
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let press = 0; press < 10; press += 1) {
        await page.keyboard.press(key)
        await expect
          .poll(() => dialog.evaluate((node) => node.contains(document.activeElement)))
          .toBe(true)
      }
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await profile(page).click()
    await page.getByRole('button', { name: 'Sign up', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Create your free account' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
})

test('the footer has the spec’s links, in new tabs where it says so', async ({ page, request }) => {
  const site = (await (await request.get('/api/v2/site/')).json()) as {
    footer: { label: string; href: string; new_tab: boolean }[]
    start_year: number
  }
  await page.goto('/contact/')
  const footer = page.getByRole('contentinfo')
  for (const { label, href, new_tab: isNewTab } of site.footer) {
    const link = footer.locator(`a[href="${href}"]`)
    await expect(link).toContainText(label)
    if (isNewTab) await expect(link).toHaveAttribute('target', '_blank')
    // No link is broken.
    expect((await request.get(href)).status(), href).toBe(200)
  }
  const inNewTab = site.footer.filter((link) => link.new_tab).map(({ href }) => href)
  expect(inNewTab).toEqual(['/contact/', '/privacy/', '/termsofservice/'])
  await expect(footer).toContainText(new RegExp(`© ${site.start_year}–\\d{4}`))
})
