import { PERSONAL } from '#/lib/query-client'

export const calendarKeys = {
  connection: () => [PERSONAL, 'calendar'] as const,
}
