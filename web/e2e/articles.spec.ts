import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'

interface Named {
  slug: string
  name: string
}

interface Article {
  name: string
  share_url: string
  is_age_restricted: boolean
  authors: Named[]
  tags: Named[]
  section: Named & { share_url: string }
}

const cards = (page: Page) => page.locator('main article')

test('a section opens with its newest articles and shows each article once, sorted or searched', async ({
  page,
  request,
}) => {
  const all = await results<Article>(request, '/api/v2/articles/?limit=100')
  // The page of the section News lists all sections.
  const slug = all.find(({ section }) => section.slug !== 'news')?.section.slug ?? ''
  const own = all.filter((article) => article.section.slug === slug)
  expect(own.length).toBeGreaterThan(4)

  let resolves = 0
  page.on('request', (asked) => {
    if (asked.url().includes('/resolve/')) resolves += 1
  })
  await page.goto(`/${slug}/`)
  const shown = Math.min(own.length, 12)
  await expect(cards(page)).toHaveCount(shown)
  const fronts = page.locator('main article h2')
  await expect(fronts).toHaveText(own.slice(0, 4).map((article) => article.name))
  // The site's settings contain the sections, so the path needs no resolving.
  expect(resolves).toBe(0)
  const links = await page
    .locator('main article a')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
  expect(new Set(links).size).toBe(shown)

  // A sorted grid lists every article again, and the lead articles stay above it.
  await page.getByLabel('Sort').selectOption({ label: 'Headline, A to Z' })
  await expect(page.locator('main article h3')).toHaveCount(shown)
  await expect(fronts).toHaveText(own.slice(0, 4).map((article) => article.name))
  await expect(page).toHaveURL(/\?ordering=name$/)

  await page.getByRole('searchbox').fill(own[1]?.name ?? '')
  await page.getByRole('searchbox').press('Enter')
  await expect(page.locator('main article h3')).toHaveText([own[1]?.name ?? ''])
})

test('an article links to its section, its author, its tags and similar articles', async ({
  page,
  request,
}) => {
  const all = await results<Article>(request, '/api/v2/articles/?limit=100')
  const article = all.find((one) => !one.is_age_restricted && one.tags.length > 0)
  const [author] = article?.authors ?? []
  if (!article || !author) throw new Error('No article with an author and a tag')
  await page.goto(article.share_url)
  await expect(page.getByRole('heading', { level: 1, name: article.name })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^${article.name} ·`))
  await expect(
    page.getByRole('heading', { level: 2, name: `More from ${article.section.name}` }),
  ).toBeVisible()
  // The article is not listed among the others.
  await expect(page.locator('main article article')).toHaveCount(0)
  await expect(page.locator('main section').getByRole('link', { name: article.name })).toHaveCount(
    0,
  )

  await page.getByRole('link', { name: author.name }).click()
  await expect(page).toHaveURL(`/archives/?author=${author.slug}`)
  const theirs = all.filter((one) => one.authors.some(({ slug }) => slug === author.slug))
  await expect(page.getByRole('heading', { level: 1, name: author.name })).toBeVisible()
  await expect(cards(page)).toHaveCount(Math.min(theirs.length, 12))
  await page.getByRole('link', { name: 'Show everything' }).click()
  await expect(page).toHaveURL(/\/archives\/$/)

  await page.goto(article.share_url)
  const [tag] = article.tags
  await page
    .getByRole('navigation', { name: 'Tags' })
    .getByText(tag?.name ?? '')
    .click()
  await expect(page.getByRole('heading', { level: 1, name: tag?.name ?? '' })).toBeVisible()
  await expect(cards(page).filter({ hasText: article.name })).toHaveCount(1)
})

test('an article prints without the frame, black on white, even from a dark screen', async ({
  page,
  request,
}) => {
  const [article] = await results<Article>(request, '/api/v2/articles/?limit=1')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(article?.share_url ?? '')
  await expect(page.getByRole('heading', { name: /^More from/ })).toBeVisible()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^More from/ })).toBeHidden()
  await expect(page.getByRole('contentinfo')).toBeHidden()
  await expect(page.getByRole('banner')).toBeHidden()
  const colours = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.documentElement)
    return [color, backgroundColor]
  })
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
})

test('the archives link to months and their articles', async ({ page, request }) => {
  const answer = await request.get('/api/v2/archives/')
  const { results: months } = (await answer.json()) as {
    results: { year: number; month: number; count: number }[]
  }
  const [latest] = months
  if (!latest) throw new Error('Nothing was published')
  await page.goto('/archives/')
  const links = page.locator('main li a')
  await expect(links).toHaveCount(months.length)
  await links.first().click()
  await expect(page).toHaveURL(/\/archives\/\?from=\d{4}-\d{2}-01&to=\d{4}-\d{2}-01$/)
  await expect(page.locator('main h1')).toContainText(String(latest.year))
  await expect(cards(page)).toHaveCount(Math.min(latest.count, 12))
})

test('a static page has its own heading and its text', async ({ page }) => {
  for (const path of ['/termsofservice/', '/jobs']) {
    await page.goto(path)
    await expect(page.locator('main h1')).not.toBeEmpty()
    await expect(page.locator('main p').last()).not.toBeEmpty()
    await expect(page.getByText('There is nothing at this address')).toHaveCount(0)
  }
})
