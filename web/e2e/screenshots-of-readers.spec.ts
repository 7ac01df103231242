import { expect, type Page } from '@playwright/test'
import { results } from './catalogue'
import { test as withFacebook } from './facebook'
import { test } from './google'
import { callOf, KINDS, savable } from './kinds'
import { settled } from './layout'
import { mailedLink } from './mail'
import { addAuthenticator } from './passkey'
import { largePicture, placeWithPhotos, upload } from './photos'
import {
  inBothSchemes,
  inEveryWidth,
  screenshotPage,
  screenshotDialog,
  screenshotPages,
} from './screenshots'
import { newReader, post, register } from './reader'
import { pageLoaded } from './requests'
import { readStory } from './scrolling'

// Not checks: `cargo xtask screenshots` takes these for people to look at.

const HOME = '/accounts/dashboard#/home/'
const SECTIONS = [...KINDS.map(({ section }) => section), 'ratings', 'photos']
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

interface Place {
  id: number
  name: string
  share_url: string
}

/** Waits until the reader's rating is saved, and removes it. */
async function forgetRating(page: Page, listing: number): Promise<void> {
  const stored = async () => {
    const answer = await page.request.get(`/api/v2/ratings/${listing}/`)
    return ((await answer.json()) as { id: number | null }).id
  }
  await expect.poll(stored).not.toBeNull()
  const removed = await page.request.delete(`/api/v2/ratings/${await stored()}/`)
  expect(removed.ok()).toBe(true)
}

test('pictures of the dashboard empty, full and failing @screenshots', async ({ page }) => {
  test.setTimeout(600_000)
  await register(page)
  const pages = (state: string) =>
    Object.fromEntries(
      ['home', ...SECTIONS].map((section) => [
        `dashboard-${section}${state}`,
        `/accounts/dashboard#/${section}/`,
      ]),
    )
  await screenshotPages(page, pages('-empty'))
  for (const kind of KINDS) {
    for (const { id } of await savable(page.request, kind, 13)) {
      await post(page, callOf(kind), { [kind.field]: id })
    }
  }
  const places = await results<Place>(page.request, '/api/v2/listings/?is_closed=0&limit=5')
  for (const [index, { id }] of places.entries()) {
    await post(page, '/api/v2/ratings/', { listing: id, rating: index + 1 })
  }
  for (const { id } of places) await upload(page, id, 'The terrace at noon')
  await page.goto('about:blank')
  await screenshotPages(page, pages(''))
  await page.route(/\/api\/v2\/(favourites\/\?|profiles\/me\/dashboard)/, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', detail: 'Internal error.' } }),
  )
  for (const section of ['home', 'favourites']) {
    await page.goto('about:blank')
    await page.goto(`/accounts/dashboard#/${section}/`)
    await expect(page.getByText('This did not load')).toBeVisible()
    await screenshotPage(page, `dashboard-${section}-failing`)
  }
})

test('pictures of readers’ photos and of their upload @screenshots', async ({ page }) => {
  test.setTimeout(300_000)
  await register(page)
  const place = await placeWithPhotos(page, 12)
  await inEveryWidth(page, async (width) => {
    await page.goto(place.share_url)
    await settled(page)
    const photos = page.getByRole('region', { name: 'Photos', exact: true })
    await photos.getByRole('button', { name: 'Load More' }).click()
    await expect(photos.getByRole('img')).toHaveCount(11)
    await photos.scrollIntoViewIfNeeded()
    await pageLoaded(page)
    await inBothSchemes(page, `photos-${width}`, false)
    await photos.getByRole('listitem').getByRole('link').nth(1).click()
    await expect(page.getByRole('button', { name: /^(Report|Delete) this photo$/ })).toBeVisible()
    await pageLoaded(page)
    await inBothSchemes(page, `photo-${width}`, false)
    await page.goto(`${place.share_url}photos/upload/`)
    await expect(page.getByText('Choose photos')).toBeVisible()
    await inBothSchemes(page, `upload-empty-${width}`, true)
    const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') }
    await page.getByLabel('Choose photos').setInputFiles([largePicture('terrace.png'), text])
    await inBothSchemes(page, `upload-chosen-${width}`, true)
  })
})

test('pictures of the rating flow and the reminders @screenshots', async ({ page }) => {
  await register(page)
  const [place] = await results<Place>(
    page.request,
    '/api/v2/listings/?is_closed=0&reviewed=1&limit=1',
  )
  await inEveryWidth(page, async (width) => {
    await page.goto(place?.share_url ?? '')
    await settled(page)
    await readStory(page)
    await expect(page.getByRole('complementary', { name: 'Reminder' })).toBeInViewport()
    await inBothSchemes(page, `place-reminder-${width}`, false)
    await page.getByRole('radio').nth(3).click()
    await expect(page.getByText('Confirm 4 star rating:')).toBeVisible()
    await inBothSchemes(page, `rating-question-${width}`, false)
    await press(page, 'Confirm')
    await expect(page.getByRole('paragraph').filter({ hasText: 'Thanks' })).toBeVisible()
    await inBothSchemes(page, `rating-thanks-${width}`, false)
    await forgetRating(page, place?.id ?? 0)
  })
})

test('pictures of the profile, its dialogs and the pages of mailed links @screenshots', async ({
  page,
}) => {
  test.setTimeout(300_000)
  await addAuthenticator(page)
  const reader = newReader()
  await page.goto('/?signupDialogActive')
  const dialog = page.getByRole('dialog', { name: 'Create your free account' })
  await dialog.getByLabel('Full name').fill(reader.name)
  await dialog.getByLabel('Email', { exact: true }).fill(reader.email)
  await dialog.getByLabel('Password', { exact: true }).fill(reader.password)
  await dialog.getByLabel('Repeat the password').fill(reader.password)
  await screenshotDialog(page, 'dialog-sign-up-with-passkey')
  await dialog.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Log in without a password?' })).toBeVisible()
  await screenshotDialog(page, 'dialog-passkey-offer')
  const loaded = page.waitForEvent('load')
  await press(page, 'Make a passkey')
  await loaded

  await screenshotPages(page, { 'dashboard-home-with-passkey': HOME })
  await inEveryWidth(page, async (width) => {
    await page.goto('/places/')
    await press(page, 'Your account')
    await expect(page.getByRole('dialog')).toBeVisible()
    await inBothSchemes(page, `panel-profile-of-reader-${width}`, false)
  })
  await page.goto(HOME)
  for (const [name, button] of [
    ['change-name', 'Change your name'],
    ['change-email', 'Change your email'],
    ['change-password', 'Change your password'],
    ['remove-passkey', /^Remove the passkey/],
    ['delete-account', 'Delete your account'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await screenshotDialog(page, `dialog-${name}`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }

  await page.goto(await mailedLink(reader.email, 'Confirm your email address'))
  await press(page, 'Confirm my email address')
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible()
  await screenshotPage(page, 'confirm-email-done')
  await page.goto('/accounts/confirm-email#not-a-token')
  await press(page, 'Confirm my email address')
  await expect(page.getByRole('heading', { level: 1, name: /does not work/ })).toBeVisible()
  await screenshotPage(page, 'confirm-email-refused')

  await page.goto(HOME)
  await press(page, 'Delete your account')
  await press(page, 'Confirm by a passkey instead')
  await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible()
  await screenshotPage(page, 'account-deleted')
  await screenshotPages(page, { receipt: await mailedLink(reader.email, 'is erased') })
})

test('pictures of a new password by a mailed link @screenshots', async ({ page }) => {
  const reader = await register(page)
  await page.context().clearCookies()
  await page.goto('/accounts/reset-password')
  await page.goto('/')
  await press(page, 'Log in or sign up')
  await press(page, 'Log in')
  await press(page, 'Forgot password?')
  await page.getByLabel('Email used for account').fill(reader.email)
  await press(page, 'Send me a link')
  await expect(page.getByText('If an account has this address')).toBeVisible()
  await screenshotDialog(page, 'dialog-reset-sent')
  const link = await mailedLink(reader.email, 'Set a new password')
  for (const name of ['new-password-done', 'new-password-refused']) {
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByLabel('New password', { exact: true }).fill('another track entirely')
    await page.getByLabel('Repeat the new password').fill('another track entirely')
    await press(page, 'Save the new password')
    await expect(
      page.getByRole('heading', { name: /is changed|does not work any more/ }),
    ).toBeVisible()
    await screenshotPage(page, name)
  }
})

test('pictures of the calendar @screenshots', async ({ page, google }) => {
  const { site } = google
  await register(page, newReader(), site)
  const [event] = await results(page.request, `${site}/api/v2/events/?limit=1`)
  await page.goto(site + (event?.share_url ?? ''))
  await press(page, 'Save this event')
  await screenshotDialog(page, 'dialog-calendar')
  await screenshotPages(page, { 'dashboard-home-with-calendar': site + HOME })
})

withFacebook('pictures of Facebook’s controls @screenshots', async ({ page, facebook }) => {
  const { site } = facebook
  for (const why of ['address-taken', 'failed']) {
    await screenshotPages(page, {
      [`log-in-facebook-${why}`]: `${site}/accounts/login?facebook=${why}`,
    })
  }
  await screenshotPages(page, { 'facebook-deletion-unknown': `${site}/profiles/facebook-deletion` })
  await page.goto(`${site}/accounts/login`)
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click()
  await screenshotDialog(page, 'dialog-sign-up-with-facebook')
  await page.keyboard.press('Escape')
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await screenshotDialog(page, 'dialog-log-in-with-facebook')
  await page.getByRole('link', { name: 'Log in with Facebook' }).click()
  await press(page, 'Allow')
  await page.waitForURL(/dashboard/)
  await screenshotPages(page, { 'dashboard-home-with-facebook': site + HOME })
  await press(page, 'Delete your account')
  await screenshotDialog(page, 'dialog-erase-with-facebook')
})
