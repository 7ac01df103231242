import { expect, test } from '@playwright/test'
import { results } from './catalogue'

interface Block {
  kind: string
  limit: number
  title: string | null
  href: string | null
}

interface Item {
  name: string
  share_url: string
}

// The kinds whose blocks show the first items of their lists, in the same order.
for (const kind of ['events', 'contests', 'videos']) {
  test(`the front page shows ${kind} and links to all of them`, async ({ page, request }) => {
    const site = (await (await request.get('/api/v2/site/')).json()) as { home: Block[] }
    const block = site.home.find((one) => one.kind === kind)
    if (!block?.title || !block.href) throw new Error(`This site's front page has no ${kind}`)
    const items = await results<Item>(request, `/api/v2/${kind}/?limit=${block.limit}`)
    await page.goto('/')
    const section = page
      .locator('main section')
      .filter({ has: page.getByRole('heading', { level: 2, name: block.title }) })
    await expect(section.locator('h3')).toHaveText(items.map((item) => item.name))
    await section.getByRole('link', { name: `See all of ${block.title}` }).click()
    await expect(page).toHaveURL(new RegExp(`${block.href}$`))
    await expect(page.locator('main article h3').first()).toHaveText(items[0]?.name ?? '')
  })
}
