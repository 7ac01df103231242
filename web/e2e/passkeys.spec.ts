import { expect, test, type Page } from '@playwright/test'
import { firstOpenPlace } from './catalogue'
import { axe, layoutErrors } from './layout'
import { mailedLink } from './mail'
import {
  logInByPasskey,
  disablePasskeysInFields,
  addAuthenticator,
  signUpByPasskey,
} from './passkey'
import { logOut, newReader, signUp } from './reader'

const HOME = '/accounts/dashboard#/home/'

async function openLogin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log in or sign up' }).click()
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** A part of the page is accessible, and the page fits every width. */
async function fits(page: Page, what: string, within: string): Promise<void> {
  await axe(page, what, within)
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await layoutErrors(page, width), `${what} at ${width}`).toEqual([])
  }
}

test('a guest taps a heart, makes an account with a passkey, and the heart is on', async ({
  page,
}) => {
  const device = await addAuthenticator(page)
  const name = await firstOpenPlace(page)
  const heart = page.getByRole('button', { name: `Favourite ${name}` }).first()
  await heart.click()
  const login = page.getByRole('dialog', { name: 'Sign up or Log in' })
  await expect(login.getByRole('heading', { name: 'Or log in with email' })).toBeVisible()
  await login.getByRole('button', { name: 'Sign up', exact: true }).click()
  await signUpByPasskey(page, newReader())
  expect(await device.passkeys()).toBe(1)
  await expect(heart).toHaveAttribute('aria-pressed', 'true')

  // The browser offers the passkey in the email field, and the device confirms: nothing is typed or clicked.
  await logOut(page)
  await page.goto('/')
  const loaded = page.waitForEvent('load')
  await openLogin(page)
  await loaded
  await page.goto('/accounts/dashboard#/favourites/')
  await expect(page.getByRole('heading', { level: 3, name })).toBeVisible()
})

test('a reader’s passkeys are created, listed and removed, and the last way to log in stays', async ({
  page,
}) => {
  await addAuthenticator(page)
  await disablePasskeysInFields(page)
  await page.goto('/?signupDialogActive')
  const reader = newReader()
  await signUpByPasskey(page, reader)
  await page.goto(HOME)
  const section = page.getByRole('region', { name: 'Your passkeys' })
  await expect(section.getByRole('listitem')).toHaveCount(1)
  await expect(section).toContainText('not used yet')

  await section.getByRole('button', { name: 'Make another passkey' }).click()
  await expect(section.getByRole('alert')).toHaveText(
    'This device has a passkey for your account already.',
  )

  await section.getByRole('button', { name: /^Remove the passkey/ }).click()
  const question = page.getByRole('dialog', { name: /^Remove the passkey/ })
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(question.getByRole('alert')).toContainText('your only way to log in')
  await question.getByRole('button', { name: 'Cancel' }).click()

  // A password by the mailed link is another way to log in.
  await expect(page.getByText('You log in without a password.')).toBeVisible()
  await page.getByRole('button', { name: 'Set a password' }).click()
  await expect(page.getByText(`We have sent a link to ${reader.email}.`)).toBeVisible()
  await page.goto(await mailedLink(reader.email, 'Set a new password'))
  await page.getByLabel('New password', { exact: true }).fill(reader.password)
  await page.getByLabel('Repeat the new password').fill(reader.password)
  await page.getByRole('button', { name: 'Save the new password' }).click()
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await logInByPasskey(page)
  await page.goto(HOME)
  await expect(section).toContainText('last used on')
  await section.getByRole('button', { name: /^Remove the passkey/ }).click()
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(section.getByRole('button', { name: 'Make a passkey' })).toBeVisible()
})

test('a passkey is offered after a sign-up with a password, and deletes the account too', async ({
  page,
}) => {
  const device = await addAuthenticator(page)
  await page.goto('/?signupDialogActive')
  const reader = newReader()
  const dialog = page.getByRole('dialog', { name: 'Create your free account' })
  await dialog.getByLabel('Full name').fill(reader.name)
  await dialog.getByLabel('Email', { exact: true }).fill(reader.email)
  await dialog.getByLabel('Password', { exact: true }).fill(reader.password)
  await dialog.getByLabel('Repeat the password').fill(reader.password)
  await dialog.getByRole('button', { name: 'Sign up', exact: true }).click()
  const offer = page.getByRole('dialog', { name: 'Log in without a password?' })
  await expect(offer).toBeVisible()
  await axe(page, 'the offer of a passkey', '[role=dialog]')
  const loaded = page.waitForEvent('load')
  await offer.getByRole('button', { name: 'Make a passkey' }).click()
  await loaded
  expect(await device.passkeys()).toBe(1)

  await page.goto(HOME)
  await page.getByRole('button', { name: 'Delete your account' }).click()
  const farewell = page.getByRole('dialog', { name: 'Delete your account' })
  await farewell.getByRole('button', { name: 'Confirm by a passkey instead' }).click()
  await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible()
})

test('a device that does not verify its owner logs nobody in, and the password still does', async ({
  page,
}) => {
  const device = await addAuthenticator(page)
  const reader = newReader()
  await page.goto('/?signupDialogActive')
  await device.agree(false)
  await page.evaluate(() => {
    PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = async () => false
  })
  await signUp(page, reader)
  await logOut(page)
  await device.agree(true)
  await page.goto('/contact/')
  await openLogin(page)
  const dialog = page.getByRole('dialog', { name: 'Sign up or Log in' })
  await device.refuse()
  await dialog.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('* No passkey was used. You can try again.')
  await dialog.getByLabel('Email', { exact: true }).fill(reader.email)
  await dialog.getByLabel('Password').fill(reader.password)
  const loaded = page.waitForEvent('load')
  await dialog.getByLabel('Password').press('Enter')
  await loaded
  await expect(page.getByRole('button', { name: 'Your account', exact: true })).toBeVisible()
})

test('the forms and the profile with passkeys fit every size and palette', async ({ page }) => {
  await addAuthenticator(page)
  await page.goto('/contact/')
  await openLogin(page)
  await fits(page, 'log-in', '[role=dialog]')
  await page.getByRole('dialog').getByRole('button', { name: 'Sign up', exact: true }).click()
  await fits(page, 'sign-up', '[role=dialog]')
  await signUpByPasskey(page, newReader())
  await page.goto(HOME)
  await expect(
    page.getByRole('region', { name: 'Your passkeys' }).getByRole('listitem'),
  ).toHaveCount(1)
  await fits(page, 'profile', '#passkeys')
})
