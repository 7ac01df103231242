import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { Site } from '#/api/types'
import { follow } from '#/lib/http'
import { pageJson } from '#/lib/page-settings'

const SITE = '/api/v2/site/'

/** The site's settings, if the document contains them. */
export function siteInPage(): Site | undefined {
  const value = pageJson('site-settings')
  const isSite = typeof value === 'object' && value !== null && 'name' in value
  return isSite ? (value as Site) : undefined
}

/** The site's settings, which are fetched only if the document lacks them. */
export function siteOptions() {
  const inPage = siteInPage()
  return queryOptions({
    queryKey: [SITE],
    queryFn: ({ signal }) => follow<Site>(SITE, signal),
    staleTime: Infinity,
    initialData: () => inPage,
  })
}

export const SiteContext = createContext<Site | null>(null)

export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('No site settings above this component')
  return site
}

/** Whether a section is on. Otherwise it has no pages, no links and no requests. */
export function useHasSection(name: string): boolean {
  return useSite().sections[name] !== false
}
