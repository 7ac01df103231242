import { expect, test, type Page } from '@playwright/test'
import { axe } from './layout'
import { areReady, countOf, emptyPlace, ownPhotos, picture, review } from './photos'
import { register } from './reader'

type Place = Awaited<ReturnType<typeof emptyPlace>>

/** Opens the upload page of a place as a reader. */
async function openUpload(page: Page): Promise<Place> {
  const place = await emptyPlace(page.request)
  await register(page)
  await page.goto(`${place.share_url}photos/upload/`)
  await expect(page.getByRole('heading', { level: 1, name: 'Upload photos' })).toBeVisible()
  return place
}

const item = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
const choose = (page: Page, ...files: ReturnType<typeof picture>[]) =>
  page.getByLabel('Choose photos').setInputFiles(files)
const send = (page: Page) => page.getByRole('button', { name: /^Upload \d+ photos?$/ }).click()
const isSent = (page: Page) =>
  expect(page.getByRole('heading', { name: /^Your photos? (is|are) sent$/ })).toBeVisible()

/** A data transfer of the browser with a file in it. */
function transfer(page: Page, { name, mimeType, buffer }: ReturnType<typeof picture>) {
  return page.evaluateHandle(
    ([data, called, type]) => {
      const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0))
      const found = new DataTransfer()
      found.items.add(new File([bytes], called, { type }))
      return found
    },
    [buffer.toString('base64'), name, mimeType] as const,
  )
}

test('photos are uploaded by the picker, by drop and by paste, and wait for a look', async ({
  page,
  browser,
  baseURL,
}) => {
  const place = await openUpload(page)
  await axe(page, 'the upload page')
  await choose(page, picture('one.png'), picture('two.png'))
  const zone = page.getByText('Drop photos here, paste them, or').locator('..')
  const dropped = await transfer(page, picture('dropped.png'))
  await zone.dispatchEvent('drop', { dataTransfer: dropped })
  const pasted = await transfer(page, picture('pasted.png'))
  await page.evaluate(
    (data) =>
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })),
    pasted,
  )
  for (const name of ['one.png', 'two.png', 'dropped.png', 'pasted.png']) {
    await expect(item(page, name).locator('img')).toHaveJSProperty('naturalWidth', 640)
  }
  await item(page, 'one.png').getByLabel('Description').fill('The terrace at noon')
  await page.getByLabel('Licence').selectOption({ label: 'CC BY 4.0' })
  await axe(page, 'chosen photos')
  await send(page)
  await isSent(page)
  await axe(page, 'sent photos')

  // The uploader sees the photos in the dashboard, but they are not visible at the place.
  await page.getByRole('link', { name: 'Your photos' }).click()
  await expect(page).toHaveURL(/\/accounts\/dashboard#\/photos\/$/)
  await expect(page.getByText('4 uploaded')).toBeVisible()
  await areReady(page)
  await page.reload()
  await expect(page.getByText('Waiting for a look')).toHaveCount(4)
  await axe(page, 'the dashboard’s photos')
  expect(await countOf(page.request, place.id)).toBe(0)
  const [newest, other] = await ownPhotos(page)
  const guest = await browser.newPage(baseURL === undefined ? {} : { baseURL })
  await guest.goto(newest?.share_path ?? '')
  await expect(guest.getByText('There is no photo at this address')).toBeVisible()

  // One photo is accepted, the other refused.
  await review(newest?.id ?? 0, 'accept')
  await review(other?.id ?? 0, 'refuse', 'It shows another place.')
  await page.reload()
  await expect(page.getByText('Published', { exact: true })).toHaveCount(1)
  await expect(page.getByText('Not published')).toHaveCount(1)
  await expect(page.getByText('It shows another place.')).toBeVisible()
  await expect.poll(() => countOf(page.request, place.id)).toBe(1)
  await guest.goto(newest?.share_path ?? '')
  await expect(guest.getByText('1 of 1')).toBeVisible()
  await guest.goto(other?.share_path ?? '')
  await expect(guest.getByText('There is no photo at this address')).toBeVisible()
  await guest.close()

  // The uploader deletes the published photo in the viewer.
  await page.goto(newest?.share_path ?? '')
  await page.getByRole('button', { name: 'Delete this photo' }).click()
  const question = page.getByRole('dialog', { name: 'Delete this photo?' })
  await question.getByRole('button', { name: 'Delete this photo' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => countOf(page.request, place.id)).toBe(0)
  await page.goto('/accounts/dashboard#/photos/')
  await expect(page.getByText('3 uploaded')).toBeVisible()
})

test('leaving a page that uploads needs a confirmation; after a cut connection a photo is tried again, and counted once', async ({
  page,
}) => {
  const place = await openUpload(page)
  let cut = (): void => {}
  const isTime = new Promise<void>((resolve) => (cut = resolve))
  const keys: (string | undefined)[] = []
  let isCut = true
  await page.route('**/api/v2/photos/', async (route) => {
    keys.push((await route.request().allHeaders())['idempotency-key'])
    if (!isCut) return route.continue()
    isCut = false
    // The server has accepted the photo, but its answer does not arrive.
    await route.fetch()
    await isTime
    return route.abort('connectionreset')
  })
  await choose(page, picture('one.png'))
  await send(page)
  await expect(item(page, 'one.png').getByRole('progressbar')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: place.name }).first().click()
  const question = page.getByRole('alertdialog')
  await axe(page, 'the question', '[role=alertdialog]')
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(question).toHaveCount(0)

  cut()
  await expect(item(page, 'one.png').getByText('The connection was lost.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again: one.png' }).click()
  await isSent(page)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBeTruthy()
  expect(keys[1]).toBe(keys[0])
  expect(await ownPhotos(page)).toHaveLength(1)
})
