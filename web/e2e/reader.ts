import { expect, type Page } from '@playwright/test'
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { env } from './sites'

export interface Reader {
  name: string
  email: string
  password: string
}

/** A reader without an account. Registrations are limited per client address, so make few. */
export function newReader(): Reader {
  const mark = randomBytes(6).toString('hex')
  return {
    name: 'Robin Ames',
    email: `robin.${mark}@example.com`,
    password: `tracks and wire ${mark}`,
  }
}

/** A page or a context, whose requests have its cookies. */
type Client = Pick<Page, 'request'>

/** Signs the page's browser up as a reader, without a page; the next page that it opens is the reader's. */
export async function register(page: Client, reader = newReader(), site = ''): Promise<Reader> {
  await post(page, `${site}/api/v2/profiles/email-registration/`, {
    full_name: reader.name,
    email: reader.email,
    password: reader.password,
    password_repeat: reader.password,
  })
  return reader
}

/** Logs the page's browser in, without a page. */
export async function logIn(page: Client, { email, password }: Reader, site = ''): Promise<void> {
  await post(page, `${site}/api/v2/profiles/email-login/`, { email, password })
}

/** Sends a POST request with the cookies of the page's browser. */
export async function post(page: Client, path: string, data: object): Promise<void> {
  const answer = await page.request.post(path, { data })
  expect(answer.ok(), `POST ${path}`).toBe(true)
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
