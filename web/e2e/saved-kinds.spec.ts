import { expect, test, type Page } from '@playwright/test'
import { firstControl, KINDS } from './kinds'
import { logIn, newReader, signUp, type Reader } from './reader'

async function register(page: Page): Promise<Reader> {
  const reader = newReader()
  await page.goto('/?signupDialogActive=1')
  await signUp(page, reader)
  return reader
}

test('things of each kind are saved and removed in two browsers in step', async ({
  page,
  browser,
}) => {
  const reader = await register(page)
  const other = await (await browser.newContext()).newPage()
  await logIn(other, reader)
  for (const kind of KINDS) {
    const { section, empty } = kind
    await page.goto(kind.page)
    const { name, button } = await firstControl(page, kind)
    await other.goto(`/accounts/dashboard#/${section}/`)
    await expect(other.getByText(empty)).toBeVisible()

    await button(page).click()
    await expect(button(page)).toHaveAttribute('aria-pressed', 'true')
    await expect(other.getByRole('heading', { level: 3, name })).toBeVisible()

    await button(other).click()
    await expect(other.getByText(empty)).toBeVisible()
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false')
  }
  await other.context().close()
})

test('a to-do is marked as done, leaves the list of open to-dos, and is put back', async ({
  page,
}) => {
  await register(page)
  await page.goto('/toronto/bars/')
  const names: string[] = []
  for (const index of [0, 1]) {
    const flag = page.getByRole('button', { name: /^To-do / }).nth(index)
    await flag.click()
    await expect(flag).toHaveAttribute('aria-pressed', 'true')
    names.push(((await flag.getAttribute('aria-label')) ?? '').replace(/^To-do /, ''))
  }
  const [name = '', stays = ''] = names
  await page.goto('/accounts/dashboard#/todos/')
  await page.getByLabel('Show').selectOption('To do')
  const card = (text: string) => page.getByRole('heading', { level: 3, name: text })
  await expect(card(name)).toBeVisible()
  await page.getByRole('button', { name: `Done: ${name}` }).click()
  await expect(card(name)).toBeHidden()
  await expect(card(stays)).toBeVisible()

  await page.getByLabel('Show').selectOption('Done')
  await expect(card(name)).toBeVisible()
  await expect(card(stays)).toBeHidden()
  const tick = page.getByRole('button', { name: `Done: ${name}` })
  await expect(tick).toHaveAttribute('aria-pressed', 'true')
  await tick.click()
  await expect(page.getByText('Nothing is ticked off yet.')).toBeVisible()
})
