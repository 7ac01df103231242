/** The props of a page that a path was resolved to. */
export interface ResolvedPageProps {
  id: number
  /** As links spell it. */
  path: string
}
