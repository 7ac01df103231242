import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CITY_PAGE, FIXED_PAGES, RESOLVED_PAGES, SECTION_PAGE } from '#/routes/table'
import { ONLY_ATTRIBUTES, ONLY_IN_APPLICATION } from './allowed'
import { differences } from './compare'
import { closePage, openPage, startApplication, type ServedSite } from './page'

const folder = process.env.CITYGUIDE_TEST_RENDERINGS
if (!folder) throw new Error('Run `cargo xtask test unit`, which writes the pages')

/** The kinds of pages and the allowed differences that have occurred. */
const pages = new Set<string>()
const allowed = new Set<string>()

afterEach(closePage)

for (const file of readdirSync(folder)) {
  const site = JSON.parse(readFileSync(join(folder, file), 'utf8')) as ServedSite
  // Readers in the city, and readers from elsewhere, who see the city's dates.
  const zone = file === 'news.json' ? 'America/Toronto' : 'Europe/Berlin'
  describe(file.replace('.json', ''), () => {
    it.each(site.pages)('$path', async (page) => {
      await openPage(site, page, zone)
      const root = document.querySelector('#root')
      if (!root) throw new Error('No application')
      const served = root.cloneNode(true) as Element
      const { title } = document
      pages.add(await startApplication())
      // Names that the application fetches appear a moment later.
      await vi.waitFor(
        () => {
          expect(root.querySelector('header button')).not.toBeNull()
          expect(differences(served, root, (one) => allowed.add(one))).toEqual([])
          expect(document.title).toBe(title)
        },
        { timeout: 10_000, interval: 200 },
      )
    })
  })
}

it('there is a page of each kind', () => {
  const rows = [...FIXED_PAGES, CITY_PAGE, SECTION_PAGE, ...Object.values(RESOLVED_PAGES)]
  // Guests are redirected from the dashboard.
  const names = rows.map(({ name }) => name).filter((name) => name !== 'dashboard')
  expect(names.filter((name) => !pages.has(name))).toEqual([])
})

it('every allowed difference occurs', () => {
  const all = [...Object.keys(ONLY_IN_APPLICATION), ...ONLY_ATTRIBUTES.map(({ reason }) => reason)]
  expect(all.filter((one) => !allowed.has(one))).toEqual([])
})
