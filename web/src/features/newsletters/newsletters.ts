import type { Newsletter, NewsletterSettings } from '#/api/types'
import { useSite } from '#/features/site/site'

/** The name of a newsletter in settings. */
export type NewsletterKind = keyof NewsletterSettings

/** Advertising: never part of the consent to another newsletter. */
export const PROMOTIONS = 'promotions' satisfies NewsletterKind

/** The site's newsletter of a kind. */
export function useNewsletter(kind: NewsletterKind): Newsletter | undefined {
  return useSite().newsletters.find((newsletter) => newsletter.kind === kind)
}

/** Whether a newsletter is on. */
export function isOn(settings: NewsletterSettings, kind: string): boolean {
  return settings[kind as NewsletterKind]
}

/** The newsletter for a section of articles. */
const BY_SECTION: Partial<Record<string, NewsletterKind>> = {
  food: 'foods',
  'real-estate': 'real_estate',
  travel: 'travel',
}

/** The newsletter at the end of an article of a section. */
export function newsletterOf(section: string): NewsletterKind {
  return BY_SECTION[section] ?? 'news'
}
