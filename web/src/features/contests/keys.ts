export const contestKeys = {
  row: (limit: number) => ['contests', 'row', limit] as const,
  detail: (id: number) => ['contests', 'detail', id] as const,
  gated: (id: number) => ['contests', 'gated', id] as const,
}
