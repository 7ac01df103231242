/** Latitude and longitude in degrees. */
export type Position = readonly number[]

/** The mean radius of the Earth in metres. */
const RADIUS = 6_371_000
const RADIANS = Math.PI / 180

/** The distance between two positions in metres, exact enough within a city. */
export function metresBetween([lat1 = 0, lng1 = 0]: Position, [lat2 = 0, lng2 = 0]: Position) {
  const middle = ((lat1 + lat2) / 2) * RADIANS
  const north = (lat2 - lat1) * RADIANS
  const east = (lng2 - lng1) * RADIANS * Math.cos(middle)
  return RADIUS * Math.hypot(north, east)
}

/** 640 as "650 m", 2340 as "2.3 km". */
export function distanceInWords(metres: number): string {
  const rounded = Math.max(50, Math.round(metres / 50) * 50)
  return rounded < 1000 ? `${rounded}\u00a0m` : `${(metres / 1000).toFixed(1)}\u00a0km`
}
