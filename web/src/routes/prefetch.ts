import { firstResolved, resolveOptions } from '#/features/pages/queries'
import { queryClient } from '#/features/session/current'
import { siteInPage, siteOptions } from '#/features/site/site'
import { tonightOptions } from '#/features/tonight/queries'
import { pagePath } from '#/lib/page-path'
import { TONIGHT } from '#/worker/rules'
import { kindOf, unresolvedPage } from './kinds'

/** How long a followed link waits for its page before it shows a skeleton, in milliseconds. */
const PREFETCH_TIMEOUT = 400

/** How long the gateway's page is shown until the day's file arrives, in milliseconds; then a skeleton replaces it. */
const FILE_TIMEOUT = 15_000

/** Fetches the code of the first page if the document identifies the page, and the answer that the document lacks. */
export async function preloadFirstPage(address: string): Promise<void> {
  const site = siteInPage()
  if (!site) return
  const path = pagePath(address)
  const file =
    path === TONIGHT.page && withTimeout(queryClient.query(tonightOptions()), FILE_TIMEOUT)
  const resolved = firstResolved(path)
  const Page = resolved ? kindOf(site, resolved.kind)?.Page : unresolvedPage(site, path)
  await Promise.all([file, Page?.preload?.()])
}

/**
 * Fetches the code and the first data of a followed link. It waits at most {@link PREFETCH_TIMEOUT} and never
 * fails: the page itself fetches missing data and reports errors.
 */
export async function prefetchPage(path: string): Promise<void> {
  await withTimeout(fetchPage(path), PREFETCH_TIMEOUT)
}

/** Waits for a task that may fail, for at most this time in milliseconds. */
async function withTimeout(task: Promise<unknown>, limit: number): Promise<void> {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, limit))
  await Promise.race([task.catch(() => undefined), timeout])
}

async function fetchPage(path: string): Promise<void> {
  const site = await queryClient.query({ ...siteOptions(), staleTime: 'static' })
  const Unresolved = unresolvedPage(site, path)
  if (Unresolved) return Unresolved.preload?.()
  const { kind, id, canonical } = await queryClient.query(resolveOptions(path))
  const page = kindOf(site, kind)
  const [module] = await Promise.all([page?.load(), page?.Page.preload?.()])
  await module?.prefetch(queryClient, { id, path: canonical })
}
