import type { Event } from '#/api/types'

/** A category's slug as a menu would name it; the catalogue has no names for them. */
export function categoryName(slug: string): string {
  const words = slug.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What it costs; empty where nobody has said. */
export function priceOf({ is_free, price }: Pick<Event, 'is_free' | 'price'>): string {
  return is_free ? 'Free' : price
}
