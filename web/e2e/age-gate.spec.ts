import { expect, test, type APIRequestContext, type Page } from '@playwright/test'
import { restrictedArticle } from './catalogue'
import { pageLoaded } from './requests'

const COOKIE = 'is_user_over_18'
const DAY = 24 * 60 * 60

type Article = Awaited<ReturnType<typeof restrictedArticle>>

/** A sentence of the article that only readers of age may see. */
async function sentence(request: APIRequestContext, { id }: Article): Promise<string> {
  const answer = await request.get(`/api/v2/articles/${id}/gated/`, {
    headers: { 'X-Of-Legal-Age': '1' },
  })
  const { body } = (await answer.json()) as { body: string }
  const words = /<p>([^<.]+)\./.exec(body)?.[1] ?? ''
  expect(words.length).toBeGreaterThan(20)
  return words
}

const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Age Restricted Content' })
const yes = (page: Page) => page.getByRole('button', { name: 'Yes, I am of legal age' })
const no = (page: Page) => page.getByRole('button', { name: 'No, I am not of legal age' })
const remember = (page: Page) =>
  page.getByRole('checkbox', { name: 'Remember my selection for 30 days.' })
const marker = (page: Page) => page.locator('body.age-gate-open')

async function setCookie(page: Page, value: string, url: string | undefined): Promise<void> {
  await page.context().addCookies([{ name: COOKIE, value, url: url ?? '' }])
}

async function cookie(page: Page) {
  return (await page.context().cookies()).find((one) => one.name === COOKIE)
}

async function visit(page: Page, request: APIRequestContext): Promise<Article> {
  const article = await restrictedArticle(request)
  await page.goto(article.share_url)
  return article
}

test('nothing of a restricted article is in the page before a Yes', async ({ page, request }) => {
  const article = await restrictedArticle(request)
  const words = await sentence(request, article)
  const answers: Promise<string>[] = []
  page.on('response', (answer) => {
    const type = answer.headers()['content-type'] ?? ''
    if (/json|html/.test(type)) answers.push(answer.text().catch(() => ''))
  })
  await page.goto(article.share_url)
  await expect(dialog(page)).toBeVisible()
  await expect(marker(page)).toHaveCount(1)
  await pageLoaded(page)
  expect(answers.length).toBeGreaterThan(1)
  const texts = [...(await Promise.all(answers)), await page.content()]
  expect(texts.filter((text) => text.includes(words))).toEqual([])

  await yes(page).click()
  await expect(page.getByText(words)).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await expect(marker(page)).toHaveCount(0)
  // The answer is stored in memory: for the next page within the site, not for the next load.
  expect(await cookie(page)).toBeUndefined()
  await page.reload()
  await expect(dialog(page)).toBeVisible()
})

for (const [answer, button, value] of [
  ['Yes', yes, 'true'],
  ['No', no, 'false'],
] as const) {
  test(`a ticked ${answer} is remembered for 30 days`, async ({ page, request }) => {
    const article = await visit(page, request)
    const words = await sentence(request, article)
    await remember(page).check()
    await button(page).click()
    await expect(dialog(page)).toBeHidden()
    const kept = await cookie(page)
    expect(kept?.value).toBe(value)
    expect(Math.round(((kept?.expires ?? 0) - Date.now() / 1000) / DAY)).toBe(30)

    await page.goto(article.share_url)
    if (answer === 'Yes') await expect(page.getByText(words)).toBeVisible()
    else await expect(page).toHaveURL(/:\d+\/$/)
    await expect(dialog(page)).toBeHidden()
  })
}

test('an unticked No leads to the front page and is not remembered', async ({ page, request }) => {
  const article = await visit(page, request)
  await no(page).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(dialog(page)).toBeHidden()
  await expect(marker(page)).toHaveCount(0)
  expect(await cookie(page)).toBeUndefined()
  await page.goto(article.share_url)
  await expect(dialog(page)).toBeVisible()
})

test('Escape never accepts, and neither does a click outside the dialog', async ({
  page,
  request,
}) => {
  const article = await visit(page, request)
  await expect(dialog(page)).toBeVisible()
  await page.mouse.click(5, 300)
  await expect(dialog(page)).toBeVisible()
  await remember(page).check()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/:\d+\/$/)
  expect(await cookie(page)).toBeUndefined()
  expect(article.share_url).not.toBe('/')
})

test('only the two remembered answers count', async ({ page, request, baseURL }) => {
  const article = await restrictedArticle(request)
  const words = await sentence(request, article)
  for (const garbage of ['yes', '1', 'TRUE', 'truefalse']) {
    await setCookie(page, garbage, baseURL)
    await page.goto(article.share_url)
    await expect(dialog(page)).toBeVisible()
  }
  await setCookie(page, 'true', baseURL)
  await page.goto(article.share_url)
  await expect(page.getByText(words)).toBeVisible()
  await expect(dialog(page)).toBeHidden()

  // The front page is never restricted, even for a reader who is under age.
  await setCookie(page, 'false', baseURL)
  await page.goto(article.share_url)
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.locator('main h1')).toBeAttached()
  await expect(dialog(page)).toBeHidden()
})
