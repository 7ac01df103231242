import { expect, test, type Page } from '@playwright/test'
import { pagePaths } from './catalogue'
import { axe, applicationRendered, layoutErrors, settled } from './layout'
import { mailedLink } from './mail'
import { newReader, register } from './reader'

const THANKS =
  "Thanks for signing up to our newsletter - we're excited to have you on board. Expect to hear from us soon."
const link = (page: string) => new RegExp(`/newsletters/${page}/[\\w-]+/`)

async function subscribe(page: Page, email: string): Promise<void> {
  const panel = page.getByRole('region', { name: 'Dished' })
  // The form's code is fetched when the reader scrolls near it.
  await panel.scrollIntoViewIfNeeded()
  await panel.getByLabel('Send it to').fill(email)
  await panel.getByRole('button', { name: 'Subscribe' }).click()
  await expect(panel.getByRole('button')).toHaveCount(0)
  await expect(page.locator('main').getByText(THANKS)).toBeVisible()
}

test('a guest subscribes on a place’s page, and the links of the mails need no scripts', async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  const { email } = newReader()
  const paths = await pagePaths(request)
  await page.goto(paths.place ?? '')
  await subscribe(page, email)

  const reading = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
  const mail = await reading.newPage()
  const confirm = await mailedLink(email, 'Confirm your subscription', link('confirm'))
  await mail.goto(confirm)
  await mail.goto(confirm)
  await expect(mail.getByText('Dished', { exact: true })).toBeVisible()
  await mail.getByRole('button', { name: 'Confirm my subscription' }).click()
  await expect(mail.getByRole('heading', { name: 'You are subscribed' })).toBeVisible()
  await mail.goto(confirm)
  await expect(mail.getByRole('heading', { name: /does not work any more/ })).toBeVisible()

  await mail.goto(await mailedLink(email, 'Welcome to Dished', link('preferences')))
  await expect(mail.getByRole('checkbox', { name: /^Dished/ })).toBeChecked()
  await mail.getByRole('checkbox', { name: /^Travel/ }).check()
  await mail.getByRole('button', { name: 'Save' }).click()
  await expect(mail.getByText('Your choice is saved.')).toBeVisible()
  await expect(mail.getByRole('checkbox', { name: /^Travel/ })).toBeChecked()
  await expect(mail.getByRole('checkbox', { name: /^Promotions/ })).not.toBeChecked()
  await page.goto(mail.url())
  await axe(page, 'the page of preferences')
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await layoutErrors(page, width)).toEqual([])
  }
  await mail.getByRole('button', { name: 'Unsubscribe from everything' }).click()
  await expect(mail.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible()
  await reading.close()
})

test('a reader’s switch keeps its state, and the newsletters page has the same switches', async ({
  page,
}) => {
  const reader = await register(page)
  await page.goto('/accounts/dashboard#/newsletter/')
  const dished = page.getByRole('switch', { name: 'Dished' })
  await expect(dished).not.toBeChecked()
  await expect(page.getByText(`We’ll email you at ${reader.email}`)).toBeVisible()
  await settled(page)
  await axe(page, 'the dashboard’s newsletters')
  const changed = page.waitForResponse(/\/profiles\/me\/$/)
  await dished.click()
  await changed
  await page.goto('/newsletters/')
  await expect(dished).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Promotions' })).not.toBeChecked()
})

/** Pages with forms, and sizes of windows in pixels. Each kind of page is tested once, a place's in each window. */
const FORMS = [
  ['place', 360, 740],
  ['place', 768, 1024],
  ['place', 1440, 900],
  ['article', 360, 740],
  ['event', 768, 1024],
  ['contest', 360, 740],
  ['newsletters', 1440, 900],
] as const

test('after a subscription its message is in sight and announced, and no other form is on the page', async ({
  page,
  request,
}) => {
  await page.route('**/api/v2/profiles/guest-newsletters/', (route) =>
    route.fulfill({ json: { foods: true } }),
  )
  const paths = await pagePaths(request)
  for (const [kind, width, height] of FORMS) {
    await page.setViewportSize({ width, height })
    const html = await (await page.goto(paths[kind] ?? ''))?.text()
    await settled(page)
    expect(html, kind).not.toContain('Footer_newsletter')
    const main = page.getByRole('main')
    const email = main.getByLabel(/^Send (it|them) to$/)
    if (kind === 'newsletters') await main.getByRole('checkbox').first().check()
    else await main.locator('[class*=NewsletterPanel_page]').scrollIntoViewIfNeeded()
    await email.fill('ada@example.com')
    await expect(page.locator('footer .Footer_newsletter'), kind).toHaveCount(0)
    const title = { contest: 'Contests', event: 'Top Events' }[kind as string]
    if (title) {
      await expect(page.getByRole('region', { name: title })).toBeAttached()
      const headings = main.getByRole('heading', { name: title })
      await expect(headings, 'hidden for contests alone').toHaveCount(kind === 'contest' ? 0 : 1)
    }
    await page.keyboard.press('Enter')
    const thanks = main.getByText(THANKS)
    await expect(thanks, `${kind} at ${width}`).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('status').getByText(THANKS)).toHaveCount(1)
    await expect(page.getByLabel(/^Send (it|them) to$/)).toHaveCount(0)
  }
})

test('pages without another form have it in the footer', async ({ page, request }) => {
  const paths = await pagePaths(request)
  const html = await (await request.get('/')).text()
  expect(html).toContain('Footer_newsletter')
  const answer = await page.goto(paths.video ?? '')
  expect(await answer?.text()).toContain('Footer_newsletter')
  await applicationRendered(page)
  await settled(page)
  await expect(page.locator('footer .Footer_newsletter')).toHaveCount(1)
})
