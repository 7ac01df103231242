import { useRef, useSyncExternalStore, type PointerEvent } from 'react'
import { upTo } from '#/lib/breakpoints'
import { REDUCED_MOTION, useMediaQuery } from '#/lib/use-media-query'

/** The minimum distance of a swipe, in px. */
const MIN_DISTANCE = 48
/** The minimum ratio of horizontal to vertical distance. */
const MIN_RATIO = 2

interface Start {
  pointer: number
  x: number
  y: number
}

/**
 * Swipes of one finger, on extra-small screens only. A second finger makes it a pinch, and on a
 * zoomed page the finger scrolls.
 */
export function useSwipe(onSwipe: (direction: 1 | -1) => void) {
  const isPannable = useSyncExternalStore(onZoom, isZoomed)
  const isNarrow = useMediaQuery(upTo('xSmall'))
  const isStill = useMediaQuery(REDUCED_MOTION)
  const fingers = useRef(new Set<number>())
  const start = useRef<Start | null>(null)

  const drop = (event: PointerEvent<HTMLElement>): Start | null => {
    const begun = start.current
    fingers.current.delete(event.pointerId)
    if (begun?.pointer !== event.pointerId) return null
    start.current = null
    event.currentTarget.style.translate = ''
    return begun
  }

  return {
    'data-zoomed': isPannable || undefined,
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (!isNarrow || event.pointerType === 'mouse') return
      fingers.current.add(event.pointerId)
      const isAlone = fingers.current.size === 1 && !isZoomed()
      start.current = isAlone
        ? { pointer: event.pointerId, x: event.clientX, y: event.clientY }
        : null
      event.currentTarget.style.translate = ''
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const begun = start.current
      if (isStill || begun?.pointer !== event.pointerId) return
      event.currentTarget.style.translate = `${event.clientX - begun.x}px`
    },
    onPointerUp: (event: PointerEvent<HTMLElement>): void => {
      const begun = drop(event)
      if (!begun) return
      const x = event.clientX - begun.x
      const y = event.clientY - begun.y
      if (Math.abs(x) >= MIN_DISTANCE && Math.abs(x) > MIN_RATIO * Math.abs(y))
        onSwipe(x < 0 ? 1 : -1)
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>): void => void drop(event),
  }
}

function onZoom(listener: () => void): () => void {
  window.visualViewport?.addEventListener('resize', listener)
  return () => window.visualViewport?.removeEventListener('resize', listener)
}

function isZoomed(): boolean {
  return (window.visualViewport?.scale ?? 1) > 1.01
}
