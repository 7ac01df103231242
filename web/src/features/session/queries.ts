import { personalQuery } from '#/lib/api-queries'

export function meOptions() {
  const query = personalQuery('/api/v2/profiles/me/')
  // Another device may have confirmed the address by the mailed link.
  return { ...query, staleTime: 5 * 60_000, refetchOnWindowFocus: 'always' as const }
}
