import { useEffect } from 'react'

/** Titles the document `page · site`, or the site alone for the front page. */
export function useDocumentTitle(page: string | undefined, site: string): void {
  useEffect(() => {
    document.title = page ? `${page} · ${site}` : site
  }, [page, site])
}
