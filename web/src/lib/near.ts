/** The distance from the viewport that counts as near: about a screen. */
const NEAR = '100% 0px'

/** Calls back once, when one of the elements comes near the viewport; returns a function that stops watching. */
export function whenNear(elements: readonly Element[], isNear: () => void): () => void {
  let isOver = false
  const watching = new IntersectionObserver(
    (entries) => {
      if (isOver || !entries.some((entry) => entry.isIntersecting)) return
      isOver = true
      watching.disconnect()
      isNear()
    },
    { rootMargin: NEAR },
  )
  for (const element of elements) watching.observe(element)
  return () => watching.disconnect()
}
