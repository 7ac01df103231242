export const eventKeys = {
  pages: (address: string) => ['events', 'pages', address] as const,
  row: (limit: number) => ['events', 'row', limit] as const,
  detail: (id: number) => ['events', 'detail', id] as const,
  gated: (id: number) => ['events', 'gated', id] as const,
}
