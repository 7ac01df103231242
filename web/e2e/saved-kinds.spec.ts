import { expect, test } from '@playwright/test'
import { countSaved, firstControl, KINDS } from './kinds'
import { register } from './reader'

// `favourite-journey.spec.ts` tests a kind in two browsers, and `saved_kinds.rs` the streams of each kind.

test('a thing of each kind is saved on its page, listed in the dashboard, and removed there', async ({
  page,
}) => {
  await register(page)
  const saved = []
  for (const kind of KINDS) {
    await page.goto(kind.page)
    const control = await firstControl(page, kind)
    await control.button(page).click()
    await expect(control.button(page)).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => countSaved(page, kind), kind.api).toBe(1)
    saved.push({ kind, ...control })
  }
  for (const { kind, name, button } of saved) {
    await page.goto(`/accounts/dashboard#/${kind.section}/`)
    await expect(page.getByRole('heading', { level: 3, name })).toBeVisible()
    await button(page).click()
    await expect(page.getByText(kind.empty)).toBeVisible()
    await expect.poll(() => countSaved(page, kind), kind.api).toBe(0)
  }
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
