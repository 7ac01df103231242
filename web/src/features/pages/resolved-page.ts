/** What a page gets of the path that was resolved to it. */
export interface ResolvedPageProps {
  id: number
  /** As links spell it. */
  path: string
}
