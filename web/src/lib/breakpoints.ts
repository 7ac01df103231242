/**
 * The widths at which the layout changes, in px (spec, section 9): the last one of extra-small, small
 * and medium screens and of the small bar. Style sheets spell them out, since media queries read no
 * variables; src/styles/sheets.test.ts fails for a sheet with any other width.
 */
export const BREAKPOINTS = { xSmall: 639, small: 940, medium: 1019, smallBar: 1024 } as const

/** A media query for screens up to a breakpoint. */
export function upTo(breakpoint: keyof typeof BREAKPOINTS): string {
  return `(max-width: ${BREAKPOINTS[breakpoint]}px)`
}
