import type { OpenPlace, TonightEvent } from '#/api/types'

/** Open places and events as the map of many places shows them. */
export function onMap(places: readonly OpenPlace[], events: readonly TonightEvent[]) {
  return [
    ...places.map((place) => located(place, place.neighbourhood ?? null)),
    ...events.map((event) => ({ ...located(event, null), isEvent: true })),
  ]
}

function located(
  { id, name, share_url, position }: OpenPlace | TonightEvent,
  area: OpenPlace['neighbourhood'] | null,
) {
  const [lat, lng] = position ?? []
  const coordinates = lat !== undefined && lng !== undefined ? { lat, lng } : null
  return { id, name, share_url, coordinates, is_closed: false, default_neighborhood: area ?? null }
}
