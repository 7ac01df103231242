import { expect, test, type Page } from '@playwright/test'
import { callOf, countSaved, FAVOURITE, firstControl, KINDS, type Kind } from './kinds'
import { register, type Reader } from './reader'

// `saved_kinds.rs` tests the intents of each kind at a log-in, `ended-session.test.tsx` after a refused save of each kind.

const login = (page: Page) => page.getByRole('dialog', { name: 'Sign up or Log in' })

/** A guest uses the first control of a kind, which opens the log-in dialog. */
async function begin(page: Page, kind: Kind) {
  await page.goto(kind.page)
  const { button } = await firstControl(page, kind)
  await button(page).click()
  await expect(login(page)).toBeVisible()
  return button(page)
}

async function submit(page: Page, { email, password }: Omit<Reader, 'name'>): Promise<void> {
  await login(page).getByLabel('Email').fill(email)
  await login(page).getByLabel('Password').fill(password)
  await login(page).getByRole('button', { name: 'Log in to your account' }).click()
}

async function submitPassword(page: Page, reader: Reader): Promise<void> {
  const loaded = page.waitForEvent('load')
  await submit(page, reader)
  await loaded
}

/** The guest's action is carried out once, and the reader is on the same page. */
async function expectDone(page: Page, kind: Kind, button: ReturnType<Page['getByRole']>) {
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(kind.page)
  expect(await countSaved(page, kind), kind.api).toBe(1)
}

test('what a guest wanted to save is saved by a log-in, after a refused one too, and stays saved; a closed dialog drops it', async ({
  page,
}) => {
  const [, todo] = KINDS
  if (!todo) throw new Error('Not enough kinds')
  const reader = await register(page)
  await page.context().clearCookies()
  await begin(page, FAVOURITE)
  await page.keyboard.press('Escape')
  await expect(login(page)).toBeHidden()

  const flag = await begin(page, todo)
  await submit(page, { ...reader, password: 'not this one' })
  await expect(login(page).getByText(/^\* /)).toBeVisible()
  await submitPassword(page, reader)
  await expectDone(page, todo, flag)
  expect(await (await page.request.get(callOf(FAVOURITE))).json()).toMatchObject({ count: 0 })

  // The thing is already saved.
  await page.context().clearCookies()
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  const again = await begin(page, todo)
  await submitPassword(page, reader)
  await expectDone(page, todo, again)
})

/** The server ends the session, unnoticed by the page. */
async function endElsewhere(page: Page): Promise<void> {
  const context = page.context()
  const hint = (await context.cookies()).filter(({ name }) => name === 'signed_in')
  await context.clearCookies()
  await context.addCookies(hint)
}

test('an action that was refused because the session has ended elsewhere is carried out by a log-in', async ({
  page,
}) => {
  const reader = await register(page)
  await page.goto(FAVOURITE.page)
  const button = (await firstControl(page, FAVOURITE)).button(page)
  await expect(page.getByRole('button', { name: 'Your account', exact: true })).toBeVisible()
  await endElsewhere(page)
  await button.click()
  await expect(login(page)).toContainText('You were logged out. Log in again to continue.')
  await submitPassword(page, reader)
  await expectDone(page, FAVOURITE, button)
})
