import { expect, test, type Page } from '@playwright/test'
import { axe, layoutErrors } from './layout'
import { mailedLink } from './mail'
import { picture } from './photos'
import { ageSessions, logIn, newReader, register } from './reader'

const HOME = '/accounts/dashboard#/home/'

/** Opens a mailed link, and waits until its token is removed from the address. */
async function follow(page: Page, link: string): Promise<void> {
  const [path = '', token = ''] = link.split('#')
  await page.goto(link)
  await expect(page).toHaveURL(path)
  const stored = await page.evaluate(() =>
    JSON.stringify([localStorage, sessionStorage, window.history.state]),
  )
  expect(stored).not.toContain(token)
}

test('a forgotten password is replaced by the mailed link, which logs every device out', async ({
  page,
  browser,
}) => {
  const reader = await register(page)

  const elsewhere = await (await browser.newContext()).newPage()
  await elsewhere.goto('/contact/')
  await elsewhere.getByRole('button', { name: 'Log in or sign up' }).click()
  await elsewhere.getByRole('button', { name: 'Log in', exact: true }).click()
  await elsewhere.getByRole('button', { name: 'Forgot password?' }).click()
  await elsewhere.getByLabel('Email used for account').fill(reader.email)
  await elsewhere.getByRole('button', { name: 'Send me a link' }).click()
  await expect(
    elsewhere.getByText(
      'If an account has this address, we have just sent it a link. It works for one hour.',
    ),
  ).toBeVisible()

  const link = await mailedLink(reader.email, 'Set a new password')
  await follow(elsewhere, link)
  await elsewhere.getByLabel('New password', { exact: true }).fill('another track entirely')
  await elsewhere.getByLabel('Repeat the new password').fill('another track entirely')
  await elsewhere.getByRole('button', { name: 'Save the new password' }).click()
  await expect(elsewhere.getByRole('heading', { name: 'Your password is changed' })).toBeVisible()

  await page.goto(HOME)
  await expect(page).toHaveURL(/\/accounts\/login\?next=/)

  await elsewhere.getByRole('button', { name: 'Log in', exact: true }).click()
  const login = elsewhere.getByRole('dialog', { name: 'Sign up or Log in' })
  await login.getByLabel('Email').fill(reader.email)
  await login.getByLabel('Password').fill('another track entirely')
  await login.getByRole('button', { name: 'Log in to your account' }).click()
  await expect(elsewhere.getByRole('heading', { name: 'Hello, Robin' })).toBeVisible()

  // A used link says so before anything is filled in.
  await page.goto(link)
  await expect(
    page.getByRole('heading', { name: 'This link does not work any more' }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Send me another link' }).click()
  await expect(page.getByLabel('Email used for account')).toBeFocused()
  await elsewhere.context().close()
})

test('an address is confirmed by its link’s button, and a new one replaces it until the former undoes the change', async ({
  page,
}) => {
  const reader = await register(page)
  await page.goto(HOME)
  await expect(page.getByText(/^Not confirmed yet/)).toBeVisible()

  const link = await mailedLink(reader.email, 'Confirm your email address')
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(new URL(request.url()).pathname)
  })
  await follow(page, link)
  const button = page.getByRole('button', { name: 'Confirm my email address' })
  await expect(button).toBeVisible()
  expect(calls).not.toContain('/api/v2/profiles/confirm-email/')
  await button.click()
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to your profile' }).click()
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()

  const next = newReader().email
  await page.getByRole('button', { name: 'Change your email' }).click()
  await page.getByLabel('New email').fill(next)
  await page.getByRole('button', { name: 'Send a link to it' }).click()
  await expect(
    page.getByText(
      `We have sent a link to ${next}; until it is used, ${reader.email} stays your address.`,
    ),
  ).toBeVisible()
  await follow(page, await mailedLink(next, 'Confirm your email address'))
  await button.click()
  await page.getByRole('link', { name: 'Go to your profile' }).click()
  await expect(page.getByText(next, { exact: true })).toBeVisible()
  await expect(page.getByText(reader.email)).toBeHidden()

  await follow(page, await mailedLink(reader.email, 'was changed'))
  await page.getByLabel('New password', { exact: true }).fill('another track entirely')
  await page.getByLabel('Repeat the new password').fill('another track entirely')
  await page.getByRole('button', { name: 'Restore the address' }).click()
  await expect(page.getByText(`The account of ${reader.email} is logged out`)).toBeVisible()
  const undone = { ...reader, password: 'another track entirely' }
  await logIn(page, undone)
  await page.goto('about:blank')
  await page.goto(HOME)
  await expect(page.getByText(reader.email, { exact: true })).toBeVisible()
})

test('a session that began long ago changes no sign-in method until its reader logs in again', async ({
  page,
}) => {
  const reader = await register(page)
  await ageSessions(reader, 5)
  await page.goto(HOME)
  const next = newReader().email
  await page.getByRole('button', { name: 'Change your email' }).click()
  await page.getByLabel('New email').fill(next)
  await page.getByRole('button', { name: 'Send a link to it' }).click()
  const login = page.getByRole('dialog', { name: 'Log in again' })
  await expect(login.getByText('this changes how your account is accessed')).toBeVisible()
  await expect(login.getByLabel('Email')).toHaveValue(reader.email)
  await axe(page, 'the question for a log-in', '[role=dialog]')
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await layoutErrors(page, width), `at ${width}`).toEqual([])
  }
  await login.getByLabel('Password').fill(reader.password)
  await login.getByRole('button', { name: 'Log in to your account' }).click()
  await expect(page.getByText(`We have sent a link to ${next}`)).toBeVisible()
  await expect(login).toBeHidden()

  // The log-in has ended the session before it: the reader is logged in once.
  await page.getByRole('button', { name: 'Make a private address' }).click()
  await expect(page.getByLabel('Private address')).toBeVisible()
})

test('the owner of an address ends the access of a stranger who has signed up with it', async ({
  page,
  browser,
}) => {
  const stranger = await register(page)
  const link = await mailedLink(stranger.email, 'Confirm your email address')
  const owner = await (await browser.newContext()).newPage()
  await follow(owner, link)
  await owner.getByRole('button', { name: 'Confirm my email address' }).click()
  const question = owner.getByRole('heading', { name: 'Did you create this account?' })
  await expect(question).toBeVisible()
  await expect(owner.getByText('A password', { exact: true })).toBeVisible()
  await axe(owner, 'whose account it is', 'main')
  await owner.getByRole('button', { name: 'No, remove them' }).click()
  await owner.getByLabel('New password', { exact: true }).fill('tracks and wire')
  await owner.getByLabel('Repeat the new password').fill('tracks and wire')
  await owner.getByRole('button', { name: 'Save the new password' }).click()
  await expect(owner.getByRole('heading', { name: 'Your password is changed' })).toBeVisible()
  await page.goto(HOME)
  await expect(page).toHaveURL(/\/accounts\/login\?next=/)
  await owner.context().close()
})

test('a reader’s own picture is set, stays, and is removed', async ({ page }) => {
  await register(page)
  await page.goto(HOME)
  const profile = page.getByRole('region', { name: 'Your profile' })
  await expect(profile.getByText('RA', { exact: true })).toBeVisible()
  await profile.getByLabel('Choose a picture').setInputFiles(picture())
  const avatar = profile.locator('img')
  await expect(avatar).toHaveAttribute('src', /^\/media\/photos\/[0-9a-f]{32}\/80x80\//)
  const isDrawn = () => avatar.evaluate((one: HTMLImageElement) => one.naturalWidth === 80)
  await expect.poll(isDrawn).toBe(true)
  await axe(page, 'a profile with a picture', 'main')
  await page.reload()
  await expect.poll(isDrawn).toBe(true)
  await profile.getByRole('button', { name: 'Remove your picture' }).click()
  await expect(avatar).toHaveCount(0)
  await expect(profile.getByLabel('Choose a picture')).toBeFocused()
})
