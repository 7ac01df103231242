import { useQuery, type QueryClient } from '@tanstack/react-query'
import { ConsentSection } from '#/features/consent/ConsentSection'
import { staticPageOptions } from '#/features/pages/queries'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { PageTitle } from '#/features/site/PageTitle'
import { lastSlug } from '#/lib/share-path'
import { PageHead } from '#/ui/PageHead'
import { Prose } from '#/ui/Prose'
import { LoadedPage } from './LoadedPage'
import { TextSkeleton } from './PageSkeleton'

/** The page with the reader's consent settings. */
const PRIVACY = 'privacy'

export function prefetch(client: QueryClient, { path }: ResolvedPageProps): Promise<unknown> {
  return client.query(staticPageOptions(lastSlug(path)))
}

/** A static page such as privacy, terms or jobs. */
export function StaticPage({ path }: ResolvedPageProps) {
  const page = useQuery(staticPageOptions(lastSlug(path)))

  return (
    <>
      <PageTitle page={page.data?.name} />
      <LoadedPage query={page} skeleton={<TextSkeleton />}>
        {(loaded) => (
          <>
            <PageHead title={loaded.name} deck={loaded.excerpt} />
            <Prose html={loaded.body} />
            {lastSlug(path) === PRIVACY && <ConsentSection />}
          </>
        )}
      </LoadedPage>
    </>
  )
}
