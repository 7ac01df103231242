export const gridKeys = {
  /** Pages by the address of the first. */
  pages: (first: string) => ['grid', first] as const,
}
