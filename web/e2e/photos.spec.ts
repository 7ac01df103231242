import { expect, test as base, type CDPSession, type Page } from '@playwright/test'
import { rendered } from './clock'
import { axe, applicationRendered } from './layout'
import { placeWithPhotos } from './photos'
import { register } from './reader'

/** The first page has 5 photos, the next ones 6: the twelfth is on the third page. */
const ENOUGH = 13

interface Photo {
  id: number
  share_path: string
}

interface Subject {
  name: string
  share_url: string
  /** The paths of the photos, in the place's order. */
  paths: string[]
}

/** One place with photos on three pages for all tests of a worker. */
const test = base.extend<object, { subject: Subject }>({
  subject: [
    async ({ browser }, provide, { project }) => {
      const { baseURL } = project.use
      const page = await browser.newPage(baseURL === undefined ? {} : { baseURL })
      const subject = await prepare(page)
      await page.close()
      await provide(subject)
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

async function prepare(page: Page): Promise<Subject> {
  await register(page)
  const { id, name, share_url } = await placeWithPhotos(page, ENOUGH)
  const paths: string[] = []
  for (let count = Infinity; paths.length < Math.min(count, 60);) {
    const address = `/api/v2/photos/?listing=${id}&limit=20&offset=${paths.length}`
    const answer = await page.request.get(address)
    const found = (await answer.json()) as { results: Photo[]; count: number }
    count = found.count
    paths.push(...found.results.map(({ share_path }) => share_path))
    if (found.results.length === 0) break
  }
  return { name, share_url, paths }
}

const viewer = (page: Page) => page.getByRole('dialog', { name: /^Photos of / })
const counter = (page: Page) => viewer(page).getByText(/^\d+ of \d+$/)
const section = (page: Page) => page.getByRole('region', { name: 'Photos', exact: true })
const thumbnails = (page: Page) => section(page).getByRole('listitem').getByRole('link')
const scrollOf = (page: Page) => page.evaluate(() => Math.round(window.scrollY))
const pathOf = (page: Page) => new URL(page.url()).pathname
const shows = (page: Page, position: number) =>
  expect(counter(page)).toHaveText(new RegExp(`^${position} of \\d+$`))
/** Waits until the focus is inside the viewer: only then do keys change the photo. */
const takesKeys = (page: Page) => expect(viewer(page).locator(':focus')).toHaveCount(1)

test('a photo has an address, the arrow keys move, and Back and Escape close to the page as it was', async ({
  page,
  subject,
}) => {
  const { share_url, paths } = subject
  await page.goto('/places/')
  await applicationRendered(page)
  await page.goto(share_url)
  await applicationRendered(page)
  const second = thumbnails(page).nth(1)
  await second.evaluate((link) => link.scrollIntoView({ behavior: 'instant', block: 'center' }))
  await rendered(page)
  const scroll = await scrollOf(page)
  await second.focus()
  await page.keyboard.press('Enter')
  await shows(page, 2)
  await takesKeys(page)
  expect(pathOf(page)).toBe(paths[1])
  const length = await page.evaluate(() => window.history.length)
  await page.keyboard.press('ArrowRight')
  await shows(page, 3)
  expect(pathOf(page)).toBe(paths[2])
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await shows(page, 1)
  await expect(page.getByRole('button', { name: 'Previous photo' })).toHaveCount(0)
  await page.keyboard.press('ArrowLeft')
  await shows(page, 1)
  expect(await page.evaluate(() => window.history.length)).toBe(length)
  await axe(page, 'the viewer', '[role=dialog]')
  for (let time = 0; time < 25; time += 1) {
    await page.keyboard.press('Tab')
    // After the last control the focus is nowhere for a moment, and then on the first one.
    await takesKeys(page)
  }

  await page.goBack()
  await expect(viewer(page)).toHaveCount(0)
  expect(pathOf(page)).toBe(share_url)
  await axe(page, 'the photos of a place', 'section[aria-labelledby=photos]')
  await page.goForward()
  await shows(page, 1)
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
  expect(pathOf(page)).toBe(share_url)
  await expect(second).toBeFocused()
  expect(Math.abs((await scrollOf(page)) - scroll)).toBeLessThan(3)
  // All viewed photos are one entry: Back leads to the page before the place's.
  await page.goBack()
  await expect(page).toHaveURL(/\/places\/$/)
})

test('the edge of the next photo is in view at every width, and a tap on it moves on', async ({
  page,
  subject,
}) => {
  const { paths } = subject
  await register(page)
  await page.goto(paths[0] ?? '')
  let position = 1
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 760 })
    await shows(page, position)
    const next = viewer(page).getByRole('button', { name: 'Next photo' })
    await expect(next.locator('img')).toHaveJSProperty('complete', true)
    await expect(next.locator('img')).toBeInViewport()
    await next.click()
    position += 1
    await shows(page, position)
    expect(pathOf(page)).toBe(paths[position - 1])
    const caption = viewer(page).locator('[class*=PhotoFacts_caption]')
    await expect(caption).not.toBeEmpty()
  }

  await page.getByRole('button', { name: 'Report this photo' }).click()
  const dialog = page.getByRole('dialog', { name: 'What is wrong with it?' })
  await axe(page, 'the report', '[role=dialog][data-nested]')
  await dialog.getByLabel('Reason').selectOption({ label: 'Something else' })
  await dialog.getByLabel('Anything else?').fill('It is upside down.')
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await expect(viewer(page).getByText('Thank you. We’ll take a look.')).toBeVisible()
})

test('a photo far beyond the first page opens by its address, with the photos beside it', async ({
  page,
  subject,
}) => {
  const { share_url, paths } = subject
  await page.goto('/places/')
  await applicationRendered(page)
  await page.goto(paths[11] ?? '')
  await shows(page, 12)
  await takesKeys(page)
  await page.keyboard.press('ArrowRight')
  await shows(page, 13)
  for (const position of [12, 11, 10]) {
    await page.keyboard.press('ArrowLeft')
    await shows(page, position)
    await expect.poll(() => pathOf(page)).toBe(paths[position - 1])
  }
  // The photo was not opened from the page: closing must not leave the site or go to another page.
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(viewer(page)).toHaveCount(0)
  expect(pathOf(page)).toBe(share_url)
  await expect(page.getByRole('complementary', { name: 'About this place' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/places\/$/)
})

async function touch(
  devtools: CDPSession,
  steps: readonly (readonly { x: number; y: number }[])[],
): Promise<void> {
  for (const [index, touchPoints] of steps.entries()) {
    const type = index === 0 ? 'touchStart' : 'touchMove'
    await devtools.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints] })
  }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

const SWIPE = [300, 260, 200, 140, 100].map((x) => [{ x, y: 200 }])
const PINCH = [0, 30, 60, 90].map((far) => [
  { x: 170 - far, y: 200 },
  { x: 190 + far, y: 200 },
])

test('a swipe moves at 639 px and not at 640 px', async ({ browser, subject }) => {
  const { paths } = subject
  const context = await browser.newContext({
    viewport: { width: 639, height: 740 },
    hasTouch: true,
  })
  const page = await context.newPage()
  await page.goto(paths[1] ?? '')
  await shows(page, 2)
  const devtools = await context.newCDPSession(page)
  await touch(devtools, SWIPE)
  await shows(page, 3)
  await touch(devtools, [...SWIPE].reverse())
  await shows(page, 2)
  await touch(devtools, PINCH)
  // The viewer still shows the second photo: a key leads to the third one.
  await takesKeys(page)
  await page.keyboard.press('ArrowRight')
  await shows(page, 3)
  await page.setViewportSize({ width: 640, height: 740 })
  await rendered(page)
  await touch(devtools, SWIPE)
  await page.keyboard.press('ArrowRight')
  await shows(page, 4)
  await context.close()
})
