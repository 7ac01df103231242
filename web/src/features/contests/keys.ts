export const contestKeys = {
  row: (limit: number) => ['contests', 'row', limit] as const,
  detail: (id: number) => ['contests', 'detail', id] as const,
}
