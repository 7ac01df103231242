import { upTo } from '#/lib/breakpoints'
import type { Screen } from './slots'

/** A resize has ended when no breakpoint was crossed for this long, in milliseconds. */
const DEBOUNCE = 300

const WIDTHS = [
  ['x_small', upTo('xSmall')],
  ['small', upTo('small')],
  ['medium', upTo('medium')],
] as const

export function currentScreen(): Screen {
  const found = WIDTHS.find(([, query]) => window.matchMedia(query).matches)
  return found ? found[0] : 'large'
}

/**
 * Reports a new screen once, {@link DEBOUNCE} after the last breakpoint was crossed, unless the
 * screen is the same as before.
 */
export function watchScreen(settled: (screen: Screen) => void, signal: AbortSignal): void {
  let last = currentScreen()
  let timer: ReturnType<typeof setTimeout> | undefined
  const crossed = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const screen = currentScreen()
      if (screen === last) return
      last = screen
      settled(screen)
    }, DEBOUNCE)
  }
  const lists = WIDTHS.map(([, query]) => window.matchMedia(query))
  for (const list of lists) list.addEventListener('change', crossed)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    for (const list of lists) list.removeEventListener('change', crossed)
  })
}
