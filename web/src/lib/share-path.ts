/** The slug at the end of a path: `/neighbourhoods/leslieville/` gives `leslieville`. */
export function lastSlug(path: string): string {
  return path.split('/').filter(Boolean).at(-1) ?? ''
}
