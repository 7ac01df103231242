import { PERSONAL } from '#/lib/query-client'

export const sessionKeys = {
  me: () => [PERSONAL, 'me'] as const,
}
