/**
 * The last widths of extra-small, small and medium screens and of the small bar, in px. Style sheets repeat them,
 * since media queries read no variables; src/styles/sheets.test.ts rejects any other width.
 */
export const BREAKPOINTS = { xSmall: 639, small: 940, medium: 1019, smallBar: 1024 } as const

/** A media query for screens up to and including a breakpoint. */
export function upTo(breakpoint: keyof typeof BREAKPOINTS): string {
  return `(max-width: ${BREAKPOINTS[breakpoint]}px)`
}
