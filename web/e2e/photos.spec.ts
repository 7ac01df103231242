import { expect, test as base, type CDPSession, type Page } from '@playwright/test'
import { results } from './catalogue'
import { rendered } from './clock'
import { axe, applicationRendered } from './layout'
import { emptyPlace, openPlaces, placeWithPhotos } from './photos'
import { newReader, signUp } from './reader'

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
  await page.goto('/?signupDialogActive')
  await signUp(page, newReader())
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

test('a place has five photos first, then six more with each Load More', async ({
  page,
  subject,
}) => {
  const { share_url, paths } = subject
  await page.goto(share_url)
  await applicationRendered(page)
  await expect(thumbnails(page)).toHaveCount(5)
  for (const count of [11, Math.min(17, paths.length)]) {
    await section(page).getByRole('button', { name: 'Load More' }).click()
    await expect(thumbnails(page)).toHaveCount(count)
  }
  const links = await thumbnails(page).evaluateAll((all) =>
    all.map((link) => link.getAttribute('href')),
  )
  expect(links).toEqual(paths.slice(0, links.length))
  await axe(page, 'the photos of a place', 'section[aria-labelledby=photos]')
})

test('a photo has an address, the arrow keys move, and Escape closes to the page as it was', async ({
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
    await axe(page, `the viewer at ${width} px`, '[role=dialog]')
  }
})

test('Back closes a photo, and Forward opens it again', async ({ page, subject }) => {
  const { share_url, paths } = subject
  await page.goto(share_url)
  await applicationRendered(page)
  await thumbnails(page).first().click()
  await shows(page, 1)
  await page.goBack()
  await expect(viewer(page)).toHaveCount(0)
  expect(pathOf(page)).toBe(share_url)
  await page.goForward()
  await shows(page, 1)
  expect(pathOf(page)).toBe(paths[0])
})

test('the focus stays in the viewer', async ({ page, subject }) => {
  const { paths } = subject
  await page.goto(paths[2] ?? '')
  await shows(page, 3)
  await takesKeys(page)
  for (let time = 0; time < 25; time += 1) {
    await page.keyboard.press('Tab')
    // After the last control the focus is nowhere for a moment, and then on the first one.
    await takesKeys(page)
  }
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

test('a held arrow key skips no photo and goes past no end', async ({ page, subject }) => {
  const { paths } = subject
  await page.goto(paths[0] ?? '')
  await shows(page, 1)
  await takesKeys(page)
  // Each further page of photos is slower than the key: it arrives after several more repetitions.
  let pressed = 0
  const waiting: { until: number; arrive: () => void }[] = []
  await page.route('**/api/v2/photos/?*', async (route) => {
    await new Promise<void>((arrive) => waiting.push({ until: pressed + 20, arrive }))
    await route.continue()
  })
  const seen: string[] = [pathOf(page)]
  await page.exposeFunction('saw', (path: string) => seen.push(path))
  await page.evaluate(() => {
    const replace = window.history.replaceState.bind(window.history)
    window.history.replaceState = (state, unused, url) => {
      replace(state, unused, url)
      void (window as unknown as { saw: (path: string) => Promise<number> }).saw(
        window.location.pathname,
      )
    }
  })
  const last = paths.length
  while (!seen.includes(paths[last - 1] ?? '')) {
    // Each further `down` of a held key is a repetition.
    await page.keyboard.down('ArrowRight')
    pressed += 1
    for (const { until, arrive } of waiting) if (pressed >= until) arrive()
  }
  await shows(page, last)
  for (let time = 0; time < 10; time += 1) await page.keyboard.down('ArrowRight')
  await page.keyboard.up('ArrowRight')
  await shows(page, last)
  await expect(page.getByRole('button', { name: 'Next photo' })).toHaveCount(0)
  expect(seen.filter((path, index) => path !== seen[index - 1])).toEqual(paths)
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

test('a swipe moves at 639 px and not at 640 px', async ({ browser, baseURL, subject }) => {
  const { paths } = subject
  for (const [width, isMoved] of [
    [639, true],
    [640, false],
  ] as const) {
    const context = await browser.newContext({
      ...(baseURL !== undefined && { baseURL }),
      viewport: { width, height: 740 },
      hasTouch: true,
    })
    const page = await context.newPage()
    await page.goto(paths[1] ?? '')
    await shows(page, 2)
    const devtools = await context.newCDPSession(page)
    await touch(devtools, SWIPE)
    if (isMoved) {
      await shows(page, 3)
      await touch(devtools, [...SWIPE].reverse())
      await shows(page, 2)
      await touch(devtools, PINCH)
    }
    // The viewer still shows the second photo: a key leads to the third one.
    await takesKeys(page)
    await page.keyboard.press('ArrowRight')
    await shows(page, 3)
    await context.close()
  }
})

test('a place without photos asks for the first one', async ({ page, request }) => {
  const place = await emptyPlace(request)
  await page.goto(place.share_url)
  await expect(section(page)).toContainText('There are no user photos yet. Add the first photo')
  await section(page).getByRole('link', { name: 'Upload a Photo' }).click()
  // A guest is redirected to the log-in page.
  await expect(page).toHaveURL(
    (url) =>
      url.pathname === '/accounts/login' &&
      url.searchParams.get('next') === `${place.share_url}photos/upload/`,
  )
})

test('a closed place takes no photos', async ({ page, request }) => {
  const [closed] = await results(request, '/api/v2/listings/?is_closed=1&limit=1')
  await page.goto(closed?.share_url ?? '')
  await applicationRendered(page)
  await expect(page.getByRole('link', { name: 'Upload a Photo' })).toHaveCount(0)
})

test('addresses of photos that do not exist are not found', async ({ page, request }) => {
  const [place] = await openPlaces(request)
  await page.goto(`${place?.share_url ?? ''}photos/999999999`)
  await expect(page.getByText('There is no photo at this address')).toBeVisible()
  await page.goto(`${place?.share_url ?? ''}photos/abc`)
  await expect(page.getByText('There is nothing at this address')).toBeVisible()
})

test('a reader reports another reader’s photo', async ({ page, subject }) => {
  const { paths } = subject
  await page.goto('/?signupDialogActive')
  await signUp(page, newReader())
  await page.goto(paths[0] ?? '')
  await page.getByRole('button', { name: 'Report this photo' }).click()
  const dialog = page.getByRole('dialog', { name: 'What is wrong with it?' })
  await axe(page, 'the report', '[role=dialog][data-nested]')
  await dialog.getByLabel('Reason').selectOption({ label: 'Something else' })
  await dialog.getByLabel('Anything else?').fill('It is upside down.')
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await expect(viewer(page).getByText('Thank you. We’ll take a look.')).toBeVisible()
})
