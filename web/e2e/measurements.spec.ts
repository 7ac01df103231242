import { expect, test, type Page, type Request } from '@playwright/test'
import { register } from './reader'
import { pageLoaded } from './requests'

interface Entry {
  kind: string
  page: string
  item?: { kind: string; id: number }
  traceparent?: string
}

const isReport = (request: Request): boolean =>
  new URL(request.url()).pathname === '/api/v2/telemetry/'

/** Hides the page, as another tab would. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })
}

test('a page that is hidden reports what it measured, in one batch and without anything about the reader', async ({
  page,
}) => {
  const me = await register(page)
  const reports: Request[] = []
  const traceparents: (string | undefined)[] = []
  page.on('request', (request) => {
    if (isReport(request)) reports.push(request)
    if (new URL(request.url()).pathname.startsWith('/api/v2/listings/'))
      traceparents.push(request.headers()['traceparent'])
  })
  await page.goto('/places/?ordering=name&secret=0123#secret')
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/measure-/.test(name)),
  )
  await pageLoaded(page)
  const place = page.locator('main article h3').first().getByRole('link')
  const name = (await place.textContent()) ?? ''
  await place.click()
  const heading = page.getByRole('heading', { level: 1, name })
  await expect(heading).toBeFocused()
  await pageLoaded(page)
  expect(reports).toEqual([])

  const answered = page.waitForResponse((response) => isReport(response.request()))
  await hide(page)
  expect((await answered).status()).toBe(204)
  expect(reports).toHaveLength(1)
  const [report] = reports
  const { entries } = JSON.parse(report?.postData() ?? '{}') as { entries: Entry[] }
  const seen = entries.map(({ kind, page: of }) => `${kind} ${of}`)
  for (const entry of [
    'vital places',
    'layout-shift places',
    'view places',
    'view place',
    'click place',
  ]) {
    expect(seen).toContain(entry)
  }
  const item = entries.find(({ item: viewed }) => viewed)?.item
  expect([item?.kind, typeof item?.id]).toEqual(['listing', 'number'])
  const click = entries.find(({ kind }) => kind === 'click')
  expect(traceparents).toContain(click?.traceparent)

  const fields = ['kind', 'page', 'name', 'value', 'item', 'traceparent', 'duration', 'ago']
  for (const entry of entries) {
    expect(Object.keys(entry).filter((field) => !fields.includes(field))).toEqual([])
  }
  const headers = await report?.allHeaders()
  expect(headers?.['cookie']).toBeUndefined()
  const sent = JSON.stringify([report?.postData(), headers])
  for (const secret of ['secret', '0123', 'ordering', 'near', me.email, name]) {
    expect(sent).not.toContain(secret)
  }
  // The same page is the same view, and has nothing to report any more.
  await hide(page)
  await pageLoaded(page)
  expect(reports).toHaveLength(1)
})

test('a browser that sends Global Privacy Control is not measured', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })
  })
  await page.goto('/places/')
  await pageLoaded(page)
  await page.locator('main article h3').first().getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await hide(page)
  await pageLoaded(page)
  expect(requests.filter((path) => /telemetry|measure/.test(path))).toEqual([])
})
