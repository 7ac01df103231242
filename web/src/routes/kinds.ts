import type { QueryClient } from '@tanstack/react-query'
import { lazyRouteComponent, type AsyncRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Resolved, Site } from '#/api/types'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { online } from '#/lib/online'
import { CITY_PAGE, RESOLVED_PAGES, SECTION_PAGE } from './table'

/** The module of a page that a path resolves to. */
interface KindModule {
  /** Fetches the page's first data. */
  prefetch: (client: QueryClient, page: ResolvedPageProps) => Promise<unknown>
}

interface KindPage {
  /** The section that the page belongs to; static pages have none. */
  section: string | null
  load: () => Promise<KindModule>
  Page: AsyncRouteComponent<ResolvedPageProps>
}

/** A row of the generated table. */
interface Row<Name extends string = string, Module = KindModule> {
  section: string | null
  load: () => Promise<Module>
  component: Name
}

type Component<Name extends string> = Record<Name, (props: ResolvedPageProps) => ReactNode>
type NameOf<Kind extends Resolved['kind']> = (typeof RESOLVED_PAGES)[Kind]['component']

/** A kind without a row, or a module without its component or its `prefetch`, does not compile. */
type Rows = {
  [Kind in Resolved['kind']]: Row<NameOf<Kind>, KindModule & Component<NameOf<Kind>>>
}

const KINDS = Object.fromEntries(
  Object.entries(RESOLVED_PAGES satisfies Rows).map(([kind, row]: [string, Row]) => {
    const load = online(row.load)
    const component = load as unknown as () => Promise<Component<string>>
    const Page = lazyRouteComponent(component, row.component)
    return [kind, { section: row.section, load, Page }]
  }),
) as Partial<Record<string, KindPage>>

export const BestOfPage = lazyRouteComponent(online(CITY_PAGE.load), CITY_PAGE.component)
export const SectionPage = lazyRouteComponent(online(SECTION_PAGE.load), SECTION_PAGE.component)

/** The page of a kind; undefined if its section is off. */
export function kindOf(site: Site, kind: Resolved['kind']): KindPage | undefined {
  const page = KINDS[kind]
  return page?.section && !site.sections[page.section] ? undefined : page
}

/** The page of a one-word path that needs no resolving. */
export function unresolvedPage(site: Site, path: string): AsyncRouteComponent<never> | undefined {
  const [first, ...rest] = path.split('/').filter(Boolean)
  if (rest.length > 0) return undefined
  if (first === site.city_slug) return BestOfPage
  return site.article_sections.some(({ slug }) => slug === first) ? SectionPage : undefined
}
