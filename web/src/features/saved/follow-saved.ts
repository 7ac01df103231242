import { syncMaps } from '#/features/session/sync-maps'
import { siteInPage } from '#/features/site/site'
import { enabledKinds } from './kinds'
import { syncedMaps } from './saved'

/** Keeps the saved things of a reader with an account up to date. */
export function followSaved(): void {
  syncMaps(syncedMaps(enabledKinds(siteInPage())))
}
