import { expect, test, type APIRequestContext, type Page } from '@playwright/test'
import { restrictedArticle } from './catalogue'
import { pageLoaded } from './requests'

// `AgeGated.test.tsx` tests each answer, the dialog's texts and the cookie.

const COOKIE = 'is_user_over_18'

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
const remember = (page: Page) =>
  page.getByRole('checkbox', { name: 'Remember my selection for 30 days.' })
const marker = (page: Page) => page.locator('body.age-gate-open')

async function cookie(page: Page) {
  return (await page.context().cookies()).find((one) => one.name === COOKIE)
}

test('nothing of a restricted article is in the page before a Yes, which is remembered if it is ticked', async ({
  page,
  request,
}) => {
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
  await page.mouse.click(5, 300)
  await expect(dialog(page), 'after a click beside it').toBeVisible()

  // A ticked answer is for later loads too.
  await remember(page).check()
  await yes(page).click()
  await expect(page.getByText(words)).toBeVisible()
  expect((await cookie(page))?.value).toBe('true')
  await page.reload()
  await expect(page.getByText(words)).toBeVisible()
  await expect(dialog(page)).toBeHidden()
})
