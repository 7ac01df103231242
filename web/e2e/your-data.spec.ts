import { expect, test } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { results } from './catalogue'
import { axe, layoutErrors, settled } from './layout'
import { mailedLink } from './mail'
import { post, register } from './reader'

interface Place {
  id: number
  name: string
  share_url: string
}

const WIDTHS = [360, 768, 1440] as const

test('a reader takes the data along, deletes the account and gets a receipt', async ({
  context,
  page,
}) => {
  const reader = await register(page)
  const places = await results<Place>(page.request, '/api/v2/listings/?is_closed=0&limit=3')
  for (const { id } of places) await post(page, '/api/v2/favourites/', { listing: id })
  await page.goto('/accounts/dashboard#/home/')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download your data' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^[a-z-]+-data\.zip$/)
  expect(
    readFileSync(await file.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')

  await page.getByRole('button', { name: 'Delete your account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account' })
  const password = dialog.getByLabel('Current password')
  await expect(password).toBeFocused()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    expect(await layoutErrors(page, width)).toEqual([])
  }
  await axe(page, 'the dialog that deletes the account', '[role=dialog]')
  await password.fill('not the one')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByText('* This is not your current password.')).toBeVisible()

  // Another tab of this browser shows the reader's things.
  const other = await context.newPage()
  await other.goto('/places/')
  await expect(other.getByRole('button', { name: 'Your account', exact: true })).toBeVisible()

  await password.fill(reader.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Log in or sign up' })).toBeVisible()
  const left = await page.evaluate(() => Object.keys(window.localStorage))
  expect(left.filter((key) => /profile|listingMap/.test(key))).toEqual([])
  await other.close()

  await page.goto(await mailedLink(reader.email, 'is erased'))
  await expect(page.getByRole('row', { name: 'Favourite places 3' })).toBeVisible()
  await expect(page.getByRole('row', { name: 'Account 1', exact: true })).toBeVisible()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await settled(page)
    expect(await layoutErrors(page, width)).toEqual([])
  }
  await axe(page, 'the receipt', 'main')
  const [receipt] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the receipt' }).click(),
  ])
  const saved = JSON.parse(readFileSync(await receipt.path(), 'utf8')) as { jws: string }
  expect(saved.jws.split('.')).toHaveLength(3)
})
