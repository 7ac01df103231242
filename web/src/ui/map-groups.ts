interface Position {
  lat: number
  lng: number
}

export interface Group<P extends Position> {
  /** Stays the same while the members stay the same. */
  key: string
  members: readonly P[]
  lat: number
  lng: number
}

/** The width of the world at zoom 0, in px. */
const WORLD = 512

/**
 * Groups points whose markers would be closer than a distance in px, at their centre. Each point
 * joins the first group that is near enough, so the order decides and the result is stable.
 */
export function groupsOf<P extends Position & { key: number }>(
  points: readonly P[],
  zoom: number,
  within: number,
): Group<P>[] {
  const groups: { members: P[]; x: number; y: number }[] = []
  for (const point of points) {
    const { x, y } = project(point, zoom)
    const near = groups.find((group) => Math.hypot(group.x - x, group.y - y) < within)
    if (near) near.members.push(point)
    else groups.push({ members: [point], x, y })
  }
  return groups.map(({ members }) => ({
    key: members.map(({ key }) => key).join(),
    members,
    lat: mean(members.map(({ lat }) => lat)),
    lng: mean(members.map(({ lng }) => lng)),
  }))
}

/** Web Mercator. */
function project({ lat, lng }: Position, zoom: number): { x: number; y: number } {
  const size = WORLD * 2 ** zoom
  const sine = Math.sin((lat * Math.PI) / 180)
  return {
    x: (lng / 360 + 0.5) * size,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size,
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
