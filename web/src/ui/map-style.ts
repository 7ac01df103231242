import type { Feature, FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import type { LayerSpecification, Map as MapLibre, StyleSpecification } from 'maplibre-gl'

export interface MapArea {
  name: string
  shape: Polygon | MultiPolygon
  isMain: boolean
}

/** Main streets, rails, parks and water. Each feature has the properties `kind` and `name`. */
export type Basemap = FeatureCollection & {
  /** The credit that its licence requires. */
  credit: string | null
}

const AREAS = 'areas'
const GROUND = 'ground'

/** The map in the site's colours. */
export function ownStyle(
  areas: readonly MapArea[],
  basemap: Basemap | undefined,
): StyleSpecification {
  return {
    version: 8,
    sources: {
      [AREAS]: sourceOf(areas),
      ...(basemap && {
        [GROUND]: { type: 'geojson', data: basemap, attribution: basemap.credit ?? '' },
      }),
    },
    layers: [
      { id: 'paper', type: 'background', paint: { 'background-color': colour('--paper-sunk') } },
      {
        id: AREAS,
        type: 'fill',
        source: AREAS,
        paint: { 'fill-color': colour('--paper-raised') },
      },
      ...(basemap ? groundLayers() : []),
      borders(),
    ],
  }
}

/** Draws the areas as outlines over another company's streets. */
export function drawAreas(map: MapLibre, areas: readonly MapArea[]): void {
  map.addSource(AREAS, sourceOf(areas))
  map.addLayer(borders())
}

function sourceOf(areas: readonly MapArea[]): StyleSpecification['sources'][string] {
  const features = areas.map(({ name, shape, isMain }): Feature => ({
    type: 'Feature',
    properties: { name, isMain },
    geometry: shape,
  }))
  return { type: 'geojson', data: { type: 'FeatureCollection', features } }
}

function borders(): LayerSpecification {
  return {
    id: 'borders',
    type: 'line',
    source: AREAS,
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': ['case', ['get', 'isMain'], colour('--ink'), colour('--hairline-strong')],
      'line-width': ['case', ['get', 'isMain'], 1.75, 1],
    },
  }
}

/** The base map, in the order of drawing: areas, lines, and the names of streets. */
function groundLayers(): LayerSpecification[] {
  return [
    area('water', '--map-water'),
    area('park', '--map-park'),
    line('rail', '--hairline-strong', 1, { 'line-dasharray': [4, 2] }),
    line('street', '--map-street', 2),
    line('motorway', '--map-street', 3.5),
    line('tram', '--accent', 1, { 'line-opacity': 0.55 }),
    {
      id: 'names',
      type: 'symbol',
      source: GROUND,
      filter: ['all', of('street'), ['!=', ['get', 'name'], '']],
      minzoom: 12,
      layout: {
        'symbol-placement': 'line',
        'text-field': ['get', 'name'],
        'text-font': fontsOf('--sans'),
        'text-size': 12,
        'symbol-spacing': 320,
      },
      paint: {
        'text-color': colour('--ink-muted'),
        'text-halo-color': colour('--paper-raised'),
        'text-halo-width': 3,
      },
    },
  ]
}

function of(kind: string): ['==', ['get', string], string] {
  return ['==', ['get', 'kind'], kind]
}

function area(kind: string, token: string): LayerSpecification {
  return {
    id: kind,
    type: 'fill',
    source: GROUND,
    filter: of(kind),
    paint: { 'fill-color': colour(token) },
  }
}

/** A line of this width, in px, where a screen shows a neighbourhood; a third of it where it shows the city. */
function line(
  kind: string,
  token: string,
  width: number,
  paint: Record<string, unknown> = {},
): LayerSpecification {
  return {
    id: kind,
    type: 'line',
    source: GROUND,
    filter: of(kind),
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: {
      'line-color': colour(token),
      'line-width': [
        'interpolate',
        ['exponential', 1.4],
        ['zoom'],
        10,
        width / 3,
        14,
        width,
        18,
        width * 5,
      ],
      ...paint,
    },
  }
}

/** A token's value in the current palette. */
function colour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim()
}

/** The names of a token's fonts, which the browser has loaded for the page. */
function fontsOf(token: string): string[] {
  return colour(token)
    .split(',')
    .map((name) => name.trim().replaceAll(/["']/g, ''))
}
