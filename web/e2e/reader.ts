import { expect, type Page } from '@playwright/test'
import postgres from 'postgres'
import { env } from './sites'

export interface Reader {
  name: string
  email: string
  password: string
}

/** A reader without an account. Registrations are limited per client address, so make few. */
export function newReader(): Reader {
  const mark = `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`
  return {
    name: 'Robin Ames',
    email: `robin.${mark}@example.com`,
    password: `tracks and wire ${mark}`,
  }
}

/** Submits the open sign-up dialog and waits for the load that follows. */
export async function signUp(page: Page, reader: Reader): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Create your free account' })
  await dialog.getByLabel('Full name').fill(reader.name)
  await dialog.getByLabel('Email', { exact: true }).fill(reader.email)
  await dialog.getByLabel('Password', { exact: true }).fill(reader.password)
  await dialog.getByLabel('Repeat the password').fill(reader.password)
  const loaded = page.waitForEvent('load')
  await dialog.getByRole('button', { name: 'Sign up', exact: true }).click()
  await loaded
  await expect(page.getByRole('button', { name: 'Your account', exact: true })).toBeVisible()
}

export async function logIn(page: Page, reader: Reader, site = ''): Promise<void> {
  await page.goto(`${site}/`)
  await page.getByRole('button', { name: 'Log in or sign up' }).click()
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign up or Log in' })
  await dialog.getByLabel('Email', { exact: true }).fill(reader.email)
  await dialog.getByLabel('Password').fill(reader.password)
  const loaded = page.waitForEvent('load')
  await dialog.getByLabel('Password').press('Enter')
  await loaded
  await expect(page.getByRole('button', { name: 'Your account', exact: true })).toBeVisible()
}

/** Makes the reader's sessions look as if they had begun this many minutes earlier. */
export async function ageSessions(reader: Reader, minutes: number): Promise<void> {
  const sql = postgres(env('SITE_DATABASE'), { max: 1 })
  const aged = await sql`
    UPDATE identity.sessions SET created_at = created_at - make_interval(mins => ${minutes})
    WHERE profile_id = (SELECT id FROM identity.profiles WHERE email = ${reader.email})`
  await sql.end()
  expect(aged.count).toBeGreaterThan(0)
}

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account', exact: true }).click()
  await page.getByRole('button', { name: 'Log out now' }).click()
  await page.waitForURL(/\/profiles\/logout\?next=/)
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
}
