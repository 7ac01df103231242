import { useSite } from './site'

/**
 * The document's title. The browser uses the first title element, and React inserts a page's title
 * before the site's, which the frame renders.
 */
export function PageTitle({ page }: { page?: string | undefined }) {
  const site = useSite()
  return <title>{page ? `${page} · ${site.name}` : `${site.name} · ${site.tagline}`}</title>
}
