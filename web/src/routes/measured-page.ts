import type { ShownPage } from '#/features/telemetry/telemetry'
import { resolveOptions } from '#/features/pages/queries'
import { queryClient } from '#/features/session/current'
import { siteOptions } from '#/features/site/site'
import { BestOfPage, unresolvedPage } from './kinds'
import { CITY_PAGE, FIXED_PAGES, RESOLVED_PAGES, SECTION_PAGE } from './table'

/** The page at a path, with its object if the application has already loaded it. Sends no request. */
export function pageAt(address: string): ShownPage {
  const path = withSlash(address)
  const fixed = FIXED_PAGES.find((page) => withSlash(page.path) === path)
  if (fixed) return { page: fixed.name }
  const site = queryClient.getQueryData(siteOptions().queryKey)
  const Unresolved = site && unresolvedPage(site, path)
  if (Unresolved) return { page: (Unresolved === BestOfPage ? CITY_PAGE : SECTION_PAGE).name }
  const resolved = queryClient.getQueryData(resolveOptions(path).queryKey)
  if (!resolved) return { page: 'other' }
  const { kind, id } = resolved
  return { page: RESOLVED_PAGES[kind].name, item: { kind, id } }
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}
