import { useSite } from './site'

/**
 * The document's title. React puts it before the existing titles, and the first one counts: a page's comes
 * before the site's own, which the frame renders.
 */
export function PageTitle({ page }: { page?: string | undefined }) {
  const site = useSite()
  return <title>{page ? `${page} · ${site.name}` : `${site.name} · ${site.tagline}`}</title>
}
