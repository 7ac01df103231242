import type { Listing } from '#/api/types'

const BARS: Listing['type'] = {
  id: 1,
  name: 'Bars',
  name_singular: 'Bar',
  share_url: '/bars/',
  is_food: true,
  is_age_restricted: false,
}

/** A bar in a list, with the test's own fields. */
export function placeOf(id: number, own: Partial<Listing> = {}): Listing {
  return {
    id,
    name: `Place ${id}`,
    share_url: `/bars/place-${id}/`,
    is_closed: false,
    type: BARS,
    appears_in_best_of_lists: [],
    voters: 0,
    ...own,
  }
}
