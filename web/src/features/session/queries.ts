import { personalQuery } from '#/lib/api-queries'

export function meOptions() {
  return { ...personalQuery('/api/v2/profiles/me/'), staleTime: 5 * 60_000 }
}
