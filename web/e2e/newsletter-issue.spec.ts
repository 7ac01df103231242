import { expect, type Page } from '@playwright/test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { axe } from './layout'
import { test } from './mail-server'
import { newReader } from './reader'
import { command } from './sites'

const TITLE = 'A streetcar stop is heated at last'
const ZONE = 'America/Toronto'

/**
 * A content folder with one article that was published some hours ago, after the last issue even if
 * a clock is set back.
 */
function content(picture: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'cityguide-content-'))
  mkdirSync(join(folder, 'articles/news'), { recursive: true })
  mkdirSync(join(folder, 'pictures'))
  writeFileSync(join(folder, 'pictures/stop.png'), picture)
  const published = new Date(Date.now() - 3 * 60 * 60_000).toISOString()
  writeFileSync(
    join(folder, 'articles/news/a-heated-stop.md'),
    `+++\nname = "${TITLE}"\npublished = ${published}\nexcerpt = "Bring a book."\npicture = "pictures/stop.png"\n+++\n\nWords.\n`,
  )
  return folder
}

/** The time of day a minute ago, by the site's clocks. */
function aMinuteAgo(): string {
  return new Date(Date.now() - 60_000).toLocaleTimeString('en-GB', {
    timeZone: ZONE,
    hour: '2-digit',
    minute: '2-digit',
  })
}

/** Opens a message as a page at the widths of mail clients; returns layout errors. */
async function look(page: Page, html: string): Promise<string[]> {
  await page.goto('about:blank')
  await page.setContent(html)
  for (const width of [360, 640]) {
    await page.setViewportSize({ width, height: 900 })
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth, `the letter at ${width}`).toBe(clientWidth)
    // Mail clients embed the letter in their own page.
    await axe(page, `the letter at ${width}`, '.Page')
  }
  return page.evaluate(() =>
    [...document.querySelectorAll('a[href], img[src]')].map(
      (one) => one.getAttribute('href') ?? one.getAttribute('src') ?? '',
    ),
  )
}

test('a guest subscribes, gets the issue when it is due, signed and with links that work, and leaves by one click', async ({
  page,
  serve,
  mailServer,
}) => {
  const { settings, letters, letter, verify } = mailServer
  const { email } = newReader()
  await command(settings, 'migrate')
  const clip = { x: 0, y: 0, width: 600, height: 400 }
  const folder = content(await page.screenshot({ clip }))
  await command(settings, 'content', 'apply', folder)

  const site = await serve('guide', {
    settings: { ...settings, CITYGUIDE__NEWSLETTERS__TIMETABLE__NEWS: '' },
  })
  await page.goto(`${site}/newsletters/`)
  await page.getByLabel('Send them to').fill(email)
  await page.getByRole('checkbox', { name: /^Top Stories/ }).check()
  await page.getByRole('main').getByRole('button', { name: 'Subscribe' }).click()
  await expect(
    page.locator('main').getByText(/^Thanks for signing up to our newsletter/),
  ).toBeVisible()
  const request = await letter(email, 'Confirm your subscription')
  expect(await verify(request)).toBe('pass')
  await page.goto(
    /http\S+\/newsletters\/confirm\/[\w-]+\//.exec(request.mail.text ?? '')?.[0] ?? '',
  )
  await page.getByRole('button', { name: 'Confirm my subscription' }).click()
  await expect(page.getByRole('heading', { name: 'You are subscribed' })).toBeVisible()
  await letter(email, 'Welcome to Top Stories')

  // The site restarts after its issue was due.
  await serve('guide', {
    settings: { ...settings, CITYGUIDE__NEWSLETTERS__TIMETABLE__NEWS: aMinuteAgo() },
  })
  const issue = await letter(email, TITLE)
  expect(await verify(issue)).toBe('pass')
  expect(await verify({ ...issue, raw: issue.raw.replace(TITLE, `${TITLE}!`) })).toBe('fail')
  expect(issue.mail.text).toContain('1 Queen Street West, Toronto')
  const links = await look(page, issue.mail.html ?? '')
  expect(links.filter((link) => link.endsWith('/news/a-heated-stop/'))).not.toEqual([])
  for (const link of new Set(links)) {
    expect((await page.request.get(link)).status(), link).toBe(200)
  }
  const archived = links.find((link) => link.includes('/newsletters/issues/')) ?? ''
  await page.goto(archived)
  await axe(page, 'the page of an issue')
  await page.goto(`${site}/newsletters/issues/`)
  await axe(page, 'the page of all issues')

  const header = (name: string) => issue.mail.headers.find(({ key }) => key === name)?.value ?? ''
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const unsubscribe = header('list-unsubscribe').replace(/[<>]/g, '')
  const gone = await page.request.post(unsubscribe, { form: { 'List-Unsubscribe': 'One-Click' } })
  expect(gone.status()).toBe(200)
  const count = letters.length
  const draft = join(folder, 'more-stops.md')
  writeFileSync(
    draft,
    '+++\nkind = "news"\nsubject = "More stops"\npreheader = "They are warm"\n+++\n\nWords.\n',
  )
  await command(settings, 'newsletter', 'schedule', draft)
  await expect
    .poll(() => command(settings, 'newsletter', 'status'))
    .toMatch(/news more-stops {2}sent/)
  expect(letters.length).toBe(count)
  rmSync(folder, { recursive: true })
})
