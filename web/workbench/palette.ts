export const PALETTES = ['system', 'light', 'dark'] as const
export type Palette = (typeof PALETTES)[number]

const DARK = /\(prefers-color-scheme: dark\)/
const conditions = new WeakMap<CSSMediaRule, string>()

/** Applies a palette in place of the system's. */
export function applyPalette(palette: Palette): void {
  for (const rule of [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])) {
    if (!(rule instanceof CSSMediaRule)) continue
    const condition = conditions.get(rule) ?? rule.conditionText
    if (!DARK.test(condition)) continue
    conditions.set(rule, condition)
    const answer = palette === 'dark' ? 'all' : 'not all'
    rule.media.mediaText = palette === 'system' ? condition : answer
  }
  document.documentElement.style.colorScheme = palette === 'system' ? '' : palette
}
