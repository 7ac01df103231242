import { PERSONAL } from '#/lib/query-client'

export const accountKeys = {
  sessions: () => [PERSONAL, 'sessions'] as const,
  receipt: (token: string) => [PERSONAL, 'receipt', token] as const,
}
