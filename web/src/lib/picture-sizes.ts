const WHOLE = /^\/media\/pictures\/[0-9a-f]{32}\/whole$/
const SIZES = [
  ['300x200', 300],
  ['600x400', 600],
  ['720x480', 720],
  ['whole', 1600],
] as const

/** The `srcset` of a picture; undefined for a picture without sizes, such as a drawing. */
export function srcsetOf(imageUrl: string): string | undefined {
  if (!WHOLE.test(imageUrl)) return undefined
  const folder = imageUrl.slice(0, imageUrl.lastIndexOf('/') + 1)
  return SIZES.map(([size, width]) => `${folder}${size} ${width}w`).join(', ')
}
