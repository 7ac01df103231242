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

test('the front page shows events, contests and videos, and links to all of them', async ({
  page,
  request,
}) => {
  const site = (await (await request.get('/api/v2/site/')).json()) as { home: Block[] }
  await page.goto('/')
  const hrefs: string[] = []
  // The kinds whose blocks show the first items of their lists, in the same order.
  for (const kind of ['events', 'contests', 'videos']) {
    const block = site.home.find((one) => one.kind === kind)
    if (!block?.title || !block.href) throw new Error(`This site's front page has no ${kind}`)
    const items = await results<Item>(request, `/api/v2/${kind}/?limit=${block.limit}`)
    const section = page
      .locator('main section')
      .filter({ has: page.getByRole('heading', { level: 2, name: block.title }) })
    await expect(section.locator('h3')).toHaveText(items.map((item) => item.name))
    const all = section.getByRole('link', { name: `See all of ${block.title}` })
    await expect(all).toHaveAttribute('href', block.href)
    hrefs.push(block.href)
  }
  for (const href of hrefs) expect((await request.get(href)).status(), href).toBe(200)
})
