export const articleKeys = {
  detail: (id: number) => ['articles', 'detail', id] as const,
  gated: (id: number) => ['articles', 'gated', id] as const,
  row: (section: string, limit: number) => ['articles', 'row', section, limit] as const,
  filterName: (filter: 'author' | 'tag', slug: string) => ['articles', filter, slug] as const,
  archives: () => ['archives'] as const,
}
