export const bestOfKeys = {
  row: (limit: number) => ['best-of-lists', 'row', limit] as const,
  detail: (slug: string) => ['best-of-lists', 'detail', slug] as const,
}
