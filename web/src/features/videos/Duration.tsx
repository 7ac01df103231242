import { clock, period, spoken } from './duration'

/** How long a video is, for the eye and for the ear. */
export function Duration({ seconds }: { seconds: number }) {
  const shown = clock(seconds)
  if (!shown) return null
  return (
    <time dateTime={period(seconds)}>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{spoken(seconds)}</span>
    </time>
  )
}
