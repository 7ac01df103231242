export const pageKeys = {
  /** The resolution of a path. */
  resolve: (path: string) => ['resolve', path] as const,
  static: (slug: string) => ['pages', slug] as const,
}
