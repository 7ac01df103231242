/** An ad must be in view for this long without a break, in milliseconds. */
const MIN_DURATION = 1_000
/** From this area on, in square pixels, an ad is large: the area of 970x250. */
const LARGE_AREA = 242_500

/**
 * Calls back once, when an ad has been viewable: half of its pixels, or 30 % of a large ad's, in the viewport of a
 * visible tab for one continuous second after rendering (Media Rating Council, Viewable Ad Impression Measurement
 * Guidelines, version 2.0). Returns a function that stops watching.
 */
export function whenViewable(
  element: Element,
  { width, height }: { width: number; height: number },
  isViewable: () => void,
): () => void {
  const share = width * height >= LARGE_AREA ? 0.3 : 0.5
  let isInSight = false
  let timer: ReturnType<typeof setInterval> | undefined

  const judge = (): void => {
    if (!isInSight || document.visibilityState !== 'visible') {
      clearInterval(timer)
      timer = undefined
      return
    }
    if (timer !== undefined) return
    let wasUncovered = isUncovered(element)
    timer = setInterval(() => {
      const isSeen = wasUncovered
      wasUncovered = isUncovered(element)
      if (!isSeen || !wasUncovered) return
      stop()
      isViewable()
    }, MIN_DURATION)
  }
  const watching = new IntersectionObserver(
    (entries) => {
      const last = entries.at(-1)
      isInSight = last !== undefined && last.isIntersecting && last.intersectionRatio >= share
      judge()
    },
    { threshold: share },
  )
  const stop = (): void => {
    clearInterval(timer)
    watching.disconnect()
    document.removeEventListener('visibilitychange', judge)
  }
  watching.observe(element)
  document.addEventListener('visibilitychange', judge)
  return stop
}

/** Whether the middle of the visible part is free of dialogs and menus. */
function isUncovered(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const middle = (from: number, to: number, end: number): number =>
    (Math.max(from, 0) + Math.min(to, end)) / 2
  const x = middle(left, right, window.innerWidth)
  const y = middle(top, bottom, window.innerHeight)
  return element.contains(document.elementFromPoint(x, y))
}
