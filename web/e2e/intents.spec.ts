import { expect, test, type Page } from '@playwright/test'
import { callOf, countSaved, firstControl, KINDS, savable, write, type Kind } from './kinds'
import {
  logInByPasskey,
  disablePasskeysInFields,
  addAuthenticator,
  signUpByPasskey,
} from './passkey'
import { newReader, signUp, type Reader } from './reader'

const login = (page: Page) => page.getByRole('dialog', { name: 'Sign up or Log in' })

/** Resets the browser to a guest's, without any storage. */
async function forget(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
}

/** A guest uses the first control of a kind, which opens the log-in dialog. */
async function begin(page: Page, kind: Kind) {
  await page.goto(kind.page)
  const { button } = await firstControl(page, kind)
  await button(page).click()
  await expect(login(page)).toBeVisible()
  return button(page)
}

async function beginSignUp(page: Page, kind: Kind) {
  const button = await begin(page, kind)
  await login(page).getByRole('button', { name: 'Sign up', exact: true }).click()
  return button
}

async function submitPassword(page: Page, reader: Reader): Promise<void> {
  await login(page).getByLabel('Email').fill(reader.email)
  await login(page).getByLabel('Password').fill(reader.password)
  const loaded = page.waitForEvent('load')
  await login(page).getByRole('button', { name: 'Log in to your account' }).click()
  await loaded
}

/** The guest's action is carried out once, and the reader is on the same page. */
async function expectDone(page: Page, kind: Kind, button: ReturnType<Page['getByRole']>) {
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(kind.page)
  expect(await countSaved(page, kind), kind.api).toBe(1)
}

test('what a guest wanted to save is saved by a log-in with a password, of each kind, and stays saved if it was', async ({
  page,
}) => {
  const reader = newReader()
  await page.goto('/?signupDialogActive')
  await signUp(page, reader)
  // The first kind is tested twice: the second time, its object is already saved.
  for (const kind of [...KINDS, ...KINDS.slice(0, 1)]) {
    await forget(page)
    const button = await begin(page, kind)
    await submitPassword(page, reader)
    await expectDone(page, kind, button)
  }
})

test('a guest’s stars are given by a log-in with a password, and change those of before', async ({
  page,
  request,
}) => {
  const [kind] = KINDS
  if (!kind) throw new Error('No kinds')
  const places = await savable(request, kind, 40)
  const place = places.at(-1)
  if (!place) throw new Error('No places')
  const reader = newReader()
  await page.goto('/?signupDialogActive')
  await signUp(page, reader)
  await write(page, '/api/v2/ratings/', { listing: place.id, rating: 2 })
  await forget(page)
  await page.goto(place.share_url)
  const stars = page.getByRole('radiogroup', { name: `Your rating of ${place.name}` })
  await stars.getByRole('radio').nth(3).click()
  await submitPassword(page, reader)
  await expect(stars.locator('[role="radio"][data-on]')).toHaveCount(4)
  const answer = await page.request.get(`/api/v2/ratings/${place.id}/`)
  expect(((await answer.json()) as { rating: number }).rating).toBe(4)
  await expect(page).toHaveURL(place.share_url)
})

test('what a guest wanted to save is saved by a sign-up and by a passkey', async ({ page }) => {
  const [, todo, article, video, event] = KINDS
  if (!todo || !article || !video || !event) throw new Error('Not enough kinds')
  await page.goto('/')
  let button = await beginSignUp(page, article)
  await signUp(page, newReader())
  await expectDone(page, article, button)

  await forget(page)
  await disablePasskeysInFields(page)
  await addAuthenticator(page)
  button = await beginSignUp(page, event)
  await signUpByPasskey(page, newReader())
  await expectDone(page, event, button)
  for (const kind of [todo, video]) {
    await forget(page)
    button = await begin(page, kind)
    await logInByPasskey(page)
    await expectDone(page, kind, button)
  }
})

/** The server ends the session, unnoticed by the page. */
async function endElsewhere(page: Page): Promise<void> {
  const context = page.context()
  const hint = (await context.cookies()).filter(({ name }) => name === 'signed_in')
  await context.clearCookies()
  await context.addCookies(hint)
}

test('an action that was refused because the session has ended elsewhere is carried out by a log-in, of each kind', async ({
  page,
}) => {
  const reader = newReader()
  await page.goto('/?signupDialogActive')
  await signUp(page, reader)
  for (const kind of KINDS) {
    await page.goto(kind.page)
    const button = (await firstControl(page, kind)).button(page)
    await expect(page.getByRole('button', { name: 'Your account', exact: true })).toBeVisible()
    await endElsewhere(page)
    await button.click()
    await expect(login(page)).toContainText('You were logged out. Log in again to continue.')
    await submitPassword(page, reader)
    await expectDone(page, kind, button)
  }
})

test('a log-in that is refused keeps what the guest wanted, and closing the dialog drops it', async ({
  page,
}) => {
  const [favourite, todo] = KINDS
  if (!favourite || !todo) throw new Error('Not enough kinds')
  const reader = newReader()
  await page.goto('/?signupDialogActive')
  await signUp(page, reader)
  await forget(page)
  const heart = await begin(page, favourite)
  await page.keyboard.press('Escape')
  await expect(login(page)).toBeHidden()

  const flag = await begin(page, todo)
  await login(page).getByLabel('Email').fill(reader.email)
  await login(page).getByLabel('Password').fill('not this one')
  await login(page).getByRole('button', { name: 'Log in to your account' }).click()
  await expect(login(page).getByText(/^\* /)).toBeVisible()
  await submitPassword(page, reader)
  await expectDone(page, todo, flag)
  await page.goto(favourite.page)
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  expect(await (await page.request.get(callOf(favourite))).json()).toMatchObject({ count: 0 })
})
