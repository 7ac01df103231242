import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { differences } from './compare'
import { closePage, openPage, startApplication, type ServedSite } from './page'

const folder = process.env.CITYGUIDE_TEST_RENDERINGS
if (!folder) throw new Error('Run `cargo xtask test unit`, which writes the pages')

/** The names of the sites. */
export const SITES = readdirSync(folder).map((file) => file.replace('.json', ''))

/** The kinds of pages and the allowed differences of a site. */
export interface Occurred {
  pages: Set<string>
  allowed: Set<string>
}

/** Compares the pages of a site for readers in a zone. */
export function compareSite(name: string, zone: string): Occurred {
  const occurred: Occurred = { pages: new Set(), allowed: new Set() }
  const site = JSON.parse(readFileSync(join(folder ?? '', `${name}.json`), 'utf8')) as ServedSite
  describe(name, () => {
    afterEach(closePage)

    it.each(site.pages)('$path', async (page) => {
      await openPage(site, page, zone)
      const root = document.querySelector('#root')
      if (!root) throw new Error('No application')
      const served = root.cloneNode(true) as Element
      const { title } = document
      occurred.pages.add(await startApplication())
      // Names that the application fetches appear a moment later.
      await vi.waitFor(
        () => {
          expect(root.querySelector('header button')).not.toBeNull()
          expect(differences(served, root, (one) => occurred.allowed.add(one))).toEqual([])
          expect(document.title).toBe(title)
        },
        // Only a difference takes so long, even on a slow machine.
        { timeout: 30_000, interval: 200 },
      )
    })
  })
  return occurred
}
