import type { Feature, MultiPolygon, Polygon } from 'geojson'
import {
  LngLatBounds,
  Map as MapLibre,
  Marker,
  setWorkerUrl,
  type StyleSpecification,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { allowWorker } from './map-policy'
import { Notice } from './Notice'
import styles from './CityMap.module.css'

// A file of our own, since the site's policy blocks blob scripts.
allowWorker(workerUrl)
setWorkerUrl(workerUrl)

export interface MapArea {
  name: string
  shape: Polygon | MultiPolygon
  isMain: boolean
}

export interface MapPoint {
  key: number
  lat: number
  lng: number
  content: ReactNode
  /** Whether the map's first view includes it. */
  isInSight: boolean
}

/** The contents of a map; keep the same object while the contents do not change. */
export interface MapContent {
  areas: readonly MapArea[]
  /** The first is the place that the map is about. */
  points: readonly MapPoint[]
}

interface Props {
  label: string
  content: MapContent
  /** The address of a MapLibre style that draws the streets; without it there are none. */
  streets?: string | undefined
}

const DARK = '(prefers-color-scheme: dark)'
const CLOSEST = 15.5

/**
 * A map in the site's own colours, which needs no tile server unless the site has streets from one.
 * Scrolling over it scrolls the page; it is zoomed by Ctrl and the wheel or by two fingers.
 */
export default function CityMap({ label, content, streets }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const shown = useRef<MapLibre | null>(null)
  const [marks] = useState(() => content.points.map(() => document.createElement('div')))
  const [canDraw] = useState(hasWebGl)

  useEffect(() => {
    if (!frame.current) return
    const map = new MapLibre({
      container: frame.current,
      style: streets ?? ownStyle(content.areas),
      bounds: boundsOf(content),
      fitBoundsOptions: { padding: 48, maxZoom: CLOSEST },
      maxZoom: 18,
      // Credits the makers of the street map.
      attributionControl: streets ? { compact: false } : false,
      cooperativeGestures: true,
      dragRotate: false,
      pitchWithRotate: false,
      locale: { 'Map.Title': label },
    })
    shown.current = map
    map.touchZoomRotate.disableRotation()
    // From the last to the first, so that the first lies above the others.
    for (const [index, { lat, lng }] of [...content.points.entries()].reverse()) {
      const element = marks[index]
      if (element) new Marker({ element }).setLngLat([lng, lat]).addTo(map)
    }
    const palette = window.matchMedia(DARK)
    const repaint = (): void => void map.setStyle(ownStyle(content.areas))
    if (streets === undefined) palette.addEventListener('change', repaint)
    else map.once('style.load', () => drawOver(map, content.areas))
    return () => {
      palette.removeEventListener('change', repaint)
      shown.current = null
      map.remove()
    }
  }, [content, label, marks, streets])

  if (!canDraw) {
    return (
      <Notice title="This browser shows no maps">
        <p>The link below opens a map on another site.</p>
      </Notice>
    )
  }
  return (
    <div className={styles.map}>
      <div ref={frame} className={styles.frame} />
      {content.points.map(({ key, content: mark }, index) => {
        const element = marks[index]
        return element && createPortal(mark, element, String(key))
      })}
      <div className={styles.zoom}>
        <button type="button" aria-label="Zoom in" onClick={() => shown.current?.zoomIn()}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => shown.current?.zoomOut()}>
          −
        </button>
      </div>
    </div>
  )
}

/** Without it no map can be drawn. */
function hasWebGl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null
}

function boundsOf({ points: [first, ...others] }: MapContent): LngLatBounds {
  const bounds = new LngLatBounds()
  if (first) bounds.extend([first.lng, first.lat])
  for (const { lng, lat, isInSight } of others) if (isInSight) bounds.extend([lng, lat])
  return bounds
}

const AREAS = 'areas'

function ownStyle(areas: readonly MapArea[]): StyleSpecification {
  return {
    version: 8,
    sources: { [AREAS]: sourceOf(areas) },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': colour('--paper-sunk') } },
      {
        id: AREAS,
        type: 'fill',
        source: AREAS,
        paint: { 'fill-color': colour('--paper-raised') },
      },
      borders(),
    ],
  }
}

/** Draws the areas as outlines over the streets. */
function drawOver(map: MapLibre, areas: readonly MapArea[]): void {
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

function borders(): StyleSpecification['layers'][number] {
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

/** A token's value in the current palette. */
function colour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim()
}
