import { lazy, type ComponentType } from 'react'
import { SAVED_NAMES, type SavedName } from '#/features/saved/kinds'
import { online } from '#/lib/online'
import type { SectionName } from './sections'

const loadSaved = online(() => import('./saved-sections'))

const SAVED_CONTENTS = Object.fromEntries(
  SAVED_NAMES.map((name): [SavedName, ComponentType] => [
    name,
    lazy(async () => ({ default: (await loadSaved()).SAVED_SECTIONS[name] })),
  ]),
) as Record<SavedName, ComponentType>

/** The content of each section of the dashboard. */
export const CONTENTS = {
  home: lazy(online(async () => ({ default: (await import('./DashboardHome')).DashboardHome }))),
  newsletters: lazy(
    online(async () => ({
      default: (await import('#/features/newsletters/OwnNewsletters')).OwnNewsletters,
    })),
  ),
  ...SAVED_CONTENTS,
  photos: lazy(
    online(async () => ({ default: (await import('#/features/photos/OwnPhotos')).OwnPhotos })),
  ),
  takeout: lazy(
    online(async () => ({ default: (await import('#/features/takeout/Takeout')).Takeout })),
  ),
} satisfies Record<SectionName, ComponentType>
