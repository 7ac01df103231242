import { LngLatBounds, Map as MapLibre, Marker, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { groupsOf, type Group } from './map-groups'
import { allowWorker } from './map-policy'
import { drawAreas, ownStyle, type Basemap, type MapArea } from './map-style'
import { Notice } from './Notice'
import styles from './CityMap.module.css'

// A file of the site, since its policy blocks blob scripts.
allowWorker(workerUrl)
setWorkerUrl(workerUrl)

export interface MapPoint {
  key: number
  lat: number
  lng: number
  content: ReactNode
  /** Whether the map's first view includes it. */
  isInSight: boolean
}

/** The contents of a map; pass the same object while they do not change. */
export interface MapContent {
  areas: readonly MapArea[]
  /** The site's own streets, parks and water; a style has its own instead. */
  basemap?: Basemap | undefined
  /** The first is the map's main place. */
  points: readonly MapPoint[]
}

interface Props {
  label: string
  content: MapContent
  /** The address of a MapLibre style that draws the streets; without it there are none. */
  streets?: string | undefined
  /** For a map of many points: their plural noun. Points that are close together become one button. */
  groupedAs?: string | undefined
}

/** A marker of the map: a point, or a group of them. */
interface Mark extends Group<MapPoint> {
  element: HTMLElement
}

const DARK = '(prefers-color-scheme: dark)'
const CLOSEST = 15.5
/** Markers closer than this, in px, are grouped. */
const MIN_DISTANCE = 48
const PADDING = 48

/**
 * A map in the site's colours, which needs no tile server unless the site has streets from one.
 * Scrolling over it scrolls the page; Ctrl and the wheel, or two fingers, zoom it.
 */
export default function CityMap({ label, content, streets, groupedAs }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const shown = useRef<MapLibre | null>(null)
  const [marks, setMarks] = useState<readonly Mark[]>([])
  const [canDraw] = useState(hasWebGl)
  const isGrouped = groupedAs !== undefined

  useEffect(() => {
    if (!frame.current) return
    const map = new MapLibre({
      container: frame.current,
      style: streets ?? ownStyle(content.areas, content.basemap),
      bounds: boundsOf(content),
      fitBoundsOptions: { padding: PADDING, maxZoom: CLOSEST },
      maxZoom: 18,
      // Credits the authors of the street map.
      attributionControl: streets || content.basemap?.credit ? { compact: false } : false,
      cooperativeGestures: true,
      dragRotate: false,
      pitchWithRotate: false,
      locale: { 'Map.Title': label },
    })
    shown.current = map
    map.touchZoomRotate.disableRotation()
    const group = (): void => {
      const groups = groupsOf(content.points, map.getZoom(), isGrouped ? MIN_DISTANCE : 0)
      setMarks((before) => groups.map((one) => toMark(one, before)))
    }
    group()
    if (isGrouped) map.on('zoomend', group)
    const palette = window.matchMedia(DARK)
    const repaint = (): void => void map.setStyle(ownStyle(content.areas, content.basemap))
    if (streets === undefined) palette.addEventListener('change', repaint)
    else map.once('style.load', () => drawAreas(map, content.areas))
    return () => {
      palette.removeEventListener('change', repaint)
      shown.current = null
      map.remove()
    }
  }, [content, label, isGrouped, streets])

  useEffect(() => {
    const map = shown.current
    if (!map) return
    // From the last to the first, so that the first is on top.
    const markers = [...marks]
      .reverse()
      .map(({ element, lat, lng }) => new Marker({ element }).setLngLat([lng, lat]).addTo(map))
    return () => markers.forEach((marker) => marker.remove())
  }, [marks])

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
      {marks.map(({ key, members, element }) => {
        const [first, second] = members
        const mark = second ? (
          <button
            type="button"
            className={styles.group}
            aria-label={`Zoom in on ${members.length} ${groupedAs ?? ''}`}
            onClick={() => shown.current?.fitBounds(around(members), { padding: PADDING })}
          >
            {members.length}
          </button>
        ) : (
          first?.content
        )
        return createPortal(mark, element, key)
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

/** WebGL is required to draw a map. */
function hasWebGl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null
}

function boundsOf({ points }: MapContent): LngLatBounds {
  return around(points.filter(({ isInSight }, index) => isInSight || index === 0))
}

function around(points: readonly MapPoint[]): LngLatBounds {
  const bounds = new LngLatBounds()
  for (const { lng, lat } of points) bounds.extend([lng, lat])
  return bounds
}

/** A group keeps its element, and its focus, from one zoom to the next. */
function toMark(group: Group<MapPoint>, before: readonly Mark[]): Mark {
  const known = before.find(({ key }) => key === group.key)
  return { ...group, element: known?.element ?? document.createElement('div') }
}
