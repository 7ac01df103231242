import { lazy, type ComponentType } from 'react'
import type { Site } from '#/api/types'
import { NEWSLETTER_SECTION } from '#/features/newsletters/section'
import { PHOTOS_SECTION } from '#/features/photos/section'
import { enabledKinds, SAVED_KINDS, SAVED_NAMES, type SavedName } from '#/features/saved/kinds'
import { TAKEOUT_SECTION } from '#/features/takeout/section'
import { online } from '#/lib/online'

interface Section {
  /** The hash that names it: `/favourites/`. */
  hash: string
  label: string
  Content: ComponentType
}

const HOME: Section = {
  hash: '/home/',
  label: 'Home',
  Content: lazy(online(async () => ({ default: (await import('./DashboardHome')).DashboardHome }))),
}

const NEWSLETTERS: Section = {
  ...NEWSLETTER_SECTION,
  Content: lazy(
    online(async () => ({
      default: (await import('#/features/newsletters/OwnNewsletters')).OwnNewsletters,
    })),
  ),
}

const loadSaved = online(() => import('./saved-sections'))

/** The section of each kind of saved thing. */
const SAVED = new Map(
  SAVED_NAMES.map((name): [SavedName, Section] => {
    const Content = lazy(async () => ({ default: (await loadSaved()).SECTIONS[name] }))
    return [name, { ...SAVED_KINDS[name].dashboard, Content }]
  }),
)

const PHOTOS: Section = {
  ...PHOTOS_SECTION,
  Content: lazy(
    online(async () => ({ default: (await import('#/features/photos/OwnPhotos')).OwnPhotos })),
  ),
}

const TAKEOUT: Section = {
  ...TAKEOUT_SECTION,
  Content: lazy(
    online(async () => ({ default: (await import('#/features/takeout/Takeout')).Takeout })),
  ),
}

/** The sections that the site has, in the order of the menu. */
export function sectionsOf(site: Pick<Site, 'sections'>): readonly [Section, ...Section[]] {
  const saved = enabledKinds(site).flatMap((name) => SAVED.get(name) ?? [])
  return [
    HOME,
    NEWSLETTERS,
    ...saved,
    ...(site.sections.listings === false ? [] : [PHOTOS, TAKEOUT]),
  ]
}
