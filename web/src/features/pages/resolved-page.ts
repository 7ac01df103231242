/** The props of a page that a path was resolved to. */
export interface ResolvedPageProps {
  id: number
  /** The canonical path. */
  path: string
}
