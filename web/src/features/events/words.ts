import type { Event } from '#/api/types'

/** A category's slug as words, since the API has no names for categories. */
export function categoryName(slug: string): string {
  const words = slug.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The price; empty if unknown. */
export function priceOf({ is_free, price }: Pick<Event, 'is_free' | 'price'>): string {
  return is_free ? 'Free' : price
}
