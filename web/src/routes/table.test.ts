import { expect, it } from 'vitest'
import type { Site } from '#/api/types'
import { kindOf } from './kinds'
import { CITY_PAGE, FIXED_PAGES, RESOLVED_PAGES, SECTION_PAGE } from './table'
import { routeTree } from './tree'

type ResolvedKind = keyof typeof RESOLVED_PAGES
const RESOLVED = Object.entries(RESOLVED_PAGES) as [
  ResolvedKind,
  (typeof RESOLVED_PAGES)[ResolvedKind],
][]

/** A site with all sections on but one. */
function site(without: string | null): Site {
  const sections = new Set(RESOLVED.map(([, { section }]) => section ?? 'pages'))
  return {
    sections: Object.fromEntries([...sections].map((name) => [name, name !== without])),
  } as unknown as Site
}

it('has a route for each page with a fixed path, behind its section', () => {
  const routes = routeTree.children ?? []
  for (const { path, section } of FIXED_PAGES) {
    const options = routes.map((route) => route.options as { path?: string; beforeLoad?: unknown })
    const route = options.find((known) => known.path === path)
    expect(route, path).toBeDefined()
    if (section !== null) expect(route?.beforeLoad, path).toBeDefined()
  }
})

it('shows the page of each resolved kind, unless its section is off', async () => {
  for (const [name, { section, load }] of RESOLVED) {
    const kind = kindOf(site(null), name)
    expect(await kind?.load(), name).toBe(await load())
    if (section !== null) expect(kindOf(site(section), name), name).toBeUndefined()
  }
})

it('has the components that the table names', async () => {
  const rows = [...FIXED_PAGES, CITY_PAGE, SECTION_PAGE, ...Object.values(RESOLVED_PAGES)]
  for (const { load, component } of rows) {
    expect((await load()) as Record<string, unknown>).toHaveProperty(component)
  }
})
