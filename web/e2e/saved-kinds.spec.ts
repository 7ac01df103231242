import { expect, test, type Page } from '@playwright/test'
import { logIn, newReader, signUp, type Reader } from './reader'

interface Kind {
  /** A page that lists things of the kind. */
  page: string
  control: string
  section: string
  empty: string
}

const KINDS: Kind[] = [
  { page: '/places/', control: 'To-do', section: 'todos', empty: 'You have no to-dos yet.' },
  {
    page: '/news/',
    control: 'Save',
    section: 'articles',
    empty: 'You have no saved articles yet.',
  },
  {
    page: '/videos/',
    control: 'Save',
    section: 'videos',
    empty: 'You have no saved videos yet.',
  },
  {
    page: '/events/',
    control: 'Save',
    section: 'events',
    empty: 'You have no saved events yet.',
  },
]

async function firstName(page: Page, control: string): Promise<string> {
  const button = page.getByRole('button', { name: new RegExp(`^${control} `) }).first()
  await expect(button).toBeVisible()
  return ((await button.getAttribute('aria-label')) ?? '').slice(control.length + 1)
}

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
  for (const { page: path, control, section, empty } of KINDS) {
    await page.goto(path)
    const name = await firstName(page, control)
    const button = (where: Page) =>
      where.getByRole('button', { name: `${control} ${name}`, exact: true }).first()
    await other.goto(`/accounts/dashboard#/${section}/`)
    await expect(other.getByText(empty)).toBeVisible()

    await button(page).click()
    await expect(button(page)).toHaveAttribute('aria-pressed', 'true')
    await expect(other.getByRole('heading', { level: 3, name })).toBeVisible({ timeout: 2000 })

    await button(other).click()
    await expect(other.getByText(empty)).toBeVisible()
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false')
  }
  await other.context().close()
})

test('a to-do is ticked off, leaves the list of what is to do, and is put back', async ({
  page,
}) => {
  await register(page)
  await page.goto('/places/')
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
