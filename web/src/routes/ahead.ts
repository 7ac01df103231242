import { firstResolved, resolveOptions } from '#/features/pages/queries'
import { queryClient } from '#/features/session/current'
import { siteInPage, siteOptions } from '#/features/site/site'
import { pagePath } from '#/lib/page-path'
import { kindOf, ownPage } from './kinds'

/** How long a followed link waits for its page before it shows a skeleton, in milliseconds. */
const AHEAD_TIMEOUT = 400

/** Fetches the code of the first page, if the document says which it is. */
export async function preloadFirst(address: string): Promise<void> {
  const site = siteInPage()
  if (!site) return
  const path = pagePath(address)
  const resolved = firstResolved(path)
  const Page = resolved ? kindOf(site, resolved.kind)?.Page : ownPage(site, path)
  await Page?.preload?.()
}

/**
 * Fetches the code and the first data of a followed link. It waits no longer than
 * {@link AHEAD_TIMEOUT} and never fails: the page itself fetches what is missing and reports errors.
 */
export async function goAhead(path: string): Promise<void> {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, AHEAD_TIMEOUT))
  await Promise.race([arriving(path).catch(() => undefined), timeout])
}

async function arriving(path: string): Promise<void> {
  const site = await queryClient.query({ ...siteOptions(), staleTime: 'static' })
  const own = ownPage(site, path)
  if (own) return own.preload?.()
  const { kind, id, canonical } = await queryClient.query(resolveOptions(path))
  const found = kindOf(site, kind)
  const [module] = await Promise.all([found?.load(), found?.Page.preload?.()])
  await module?.ahead(queryClient, { id, path: canonical })
}
