/** 73 seconds as 1:13, an hour or more as 1:02:03; empty if unknown. */
export function clock(seconds: number): string {
  if (seconds <= 0) return ''
  const two = (value: number): string => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60) % 60
  const hours = Math.floor(seconds / 3600)
  const rest = two(seconds % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** The same as it is read aloud: "1 minute 13 seconds". */
export function spoken(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ]
  return parts
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}${value === 1 ? '' : 's'}`)
    .join(' ')
}

/** As a `time` element's machine-readable duration takes it. */
export function period(seconds: number): string {
  return `PT${seconds}S`
}
