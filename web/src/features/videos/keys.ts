export const videoKeys = {
  row: (limit: number) => ['videos', 'row', limit] as const,
  detail: (id: number) => ['videos', 'detail', id] as const,
  gated: (id: number) => ['videos', 'gated', id] as const,
}
