import type { Site } from '#/api/types'
import { SAVED_KINDS, SAVED_NAMES, type SavedName } from '#/features/saved/kinds'
import { DASHBOARD, HOME_HASH } from './address'

export type SectionName = 'home' | 'newsletters' | SavedName | 'photos' | 'takeout'

interface Section {
  /** The hash of its address: `/favourites/`. */
  hash: string
  label: string
  /** The site's section that this section needs; null for none. */
  section: string | null
  /** Whether the profile panel links to it. */
  isInPanel: boolean
}

const SAVED_SECTIONS = Object.fromEntries(
  SAVED_NAMES.map((name) => {
    const { dashboard, section } = SAVED_KINDS[name]
    return [name, { ...dashboard, section, isInPanel: true }]
  }),
) as Record<SavedName, Section>

/** The dashboard's sections, in the menu's order. */
export const SECTIONS = {
  home: { hash: HOME_HASH, label: 'Home', section: null, isInPanel: false },
  newsletters: { hash: '/newsletter/', label: 'Newsletters', section: null, isInPanel: true },
  ...SAVED_SECTIONS,
  photos: { hash: '/photos/', label: 'Photos', section: 'listings', isInPanel: true },
  takeout: { hash: '/takeout/', label: 'From Google Maps', section: 'listings', isInPanel: false },
} satisfies Record<SectionName, Section>

const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[]

/** The sections that the site has, in the menu's order. */
export function enabledSections(site: Pick<Site, 'sections'>): SectionName[] {
  return SECTION_NAMES.filter((name) => {
    const { section } = SECTIONS[name]
    return section === null || site.sections[section] !== false
  })
}

/** The address of a section. */
export function sectionHref(name: SectionName): string {
  return `${DASHBOARD}#${SECTIONS[name].hash}`
}
