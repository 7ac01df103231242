import { PERSONAL } from '#/lib/query-client'

export const accountKeys = {
  calendarFeed: () => [PERSONAL, 'calendar-feed'] as const,
  facebook: () => [PERSONAL, 'facebook'] as const,
  facebookDeletion: (code: string) => [PERSONAL, 'facebook-deletion', code] as const,
  passkeys: () => [PERSONAL, 'passkeys'] as const,
  sessions: () => [PERSONAL, 'sessions'] as const,
  receipt: (token: string) => [PERSONAL, 'receipt', token] as const,
}
