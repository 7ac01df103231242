export const gridKeys = {
  /** The pages of a grid, by the address of its first page. */
  pages: (first: string) => ['grid', first] as const,
}
