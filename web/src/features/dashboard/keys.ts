import { PERSONAL } from '#/lib/query-client'

type Ids = readonly number[]

export const dashboardKeys = {
  openNow: (ids: Ids) => [PERSONAL, 'dashboard', 'open-now', ids] as const,
  soon: (ids: Ids) => [PERSONAL, 'dashboard', 'soon', ids] as const,
  standing: (ids: Readonly<Record<string, Ids>>) =>
    [PERSONAL, 'dashboard', 'standing', ids] as const,
}
