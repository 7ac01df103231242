import { useQuery, type QueryClient } from '@tanstack/react-query'
import { staticPageOptions } from '#/features/pages/queries'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { useSite } from '#/features/site/site'
import { useDocumentTitle } from '#/lib/document-title'
import { isStatus } from '#/lib/http'
import { lastSlug } from '#/lib/share-path'
import { PageHead } from '#/ui/PageHead'
import { Prose } from '#/ui/Prose'
import { Retry } from '#/ui/Retry'
import { Skeleton } from '#/ui/Skeleton'
import { NotFoundPage } from './not-found'

export function ahead(client: QueryClient, { path }: ResolvedPageProps): Promise<unknown> {
  return client.query(staticPageOptions(lastSlug(path)))
}

/** A static page such as privacy, terms or jobs. */
export function StaticPage({ path }: ResolvedPageProps) {
  const site = useSite()
  const page = useQuery(staticPageOptions(lastSlug(path)))
  useDocumentTitle(page.data?.name, site.name)
  if (page.isPending) {
    return (
      <div role="status" aria-label="Loading the page">
        <br />
        <Skeleton width="40%" height="4rem" />
        <br />
        <Skeleton width="60%" height="20rem" />
      </div>
    )
  }
  if (page.isError) {
    if (isStatus(page.error, 404)) return <NotFoundPage />
    return <Retry onRetry={() => void page.refetch()} />
  }
  return (
    <>
      <PageHead title={page.data.name} deck={page.data.excerpt} />
      <Prose html={page.data.body} />
    </>
  )
}
