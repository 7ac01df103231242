export const pageKeys = {
  /** What stands at a path. */
  resolve: (path: string) => ['resolve', path] as const,
  static: (slug: string) => ['pages', slug] as const,
}
