import { firstResolved, resolveOptions } from '#/features/pages/queries'
import { queryClient } from '#/features/session/current'
import { siteInPage, siteOptions } from '#/features/site/site'
import { kindOf, ownPage } from './kinds'

/** How long a followed link waits for its page, so that it comes whole; in milliseconds. */
const PATIENCE = 400

/** Fetches the code of the page that a visit begins with, as far as the page itself says which it is. */
export async function preloadFirst(path: string): Promise<void> {
  const site = siteInPage()
  if (!site) return
  const resolved = firstResolved(path)
  const Page = resolved ? kindOf(site, resolved.kind)?.Page : ownPage(site, path)
  await Page?.preload?.()
}

/**
 * Fetches what a followed link leads to: its code and what it shows first. It waits for that no longer
 * than {@link PATIENCE}, and never fails: what is missing by then, the page asks for itself and says so.
 */
export async function goAhead(path: string): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE))
  await Promise.race([arriving(path).catch(() => undefined), patience])
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
