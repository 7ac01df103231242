import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { Site } from '#/api/types'
import { api, dataOf } from '#/lib/http'
import { pageJson } from '#/lib/page-settings'
import { siteKeys } from './keys'

/** The site's settings from the page, if it holds them. */
export function siteInPage(): Site | undefined {
  const value = pageJson('site-settings')
  const isSite = typeof value === 'object' && value !== null && 'name' in value
  return isSite ? (value as Site) : undefined
}

/** The site's settings, fetched only if the page does not hold them. */
export function siteOptions() {
  const inPage = siteInPage()
  return queryOptions({
    queryKey: siteKeys.site(),
    queryFn: ({ signal }) => dataOf(api.GET('/api/v2/site/', { signal })),
    staleTime: Infinity,
    ...(inPage ? { initialData: inPage } : {}),
  })
}

export const SiteContext = createContext<Site | null>(null)

export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('No site settings above this component')
  return site
}

/** A section that is switched off has no pages, no links and no requests. */
export function useHasSection(name: string): boolean {
  return useSite().sections[name] !== false
}
