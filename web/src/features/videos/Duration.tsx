import type { Video } from '#/api/types'

/** A video's length, written out for screen readers. */
export function Duration({ video }: { video: Video }) {
  if (video.duration_seconds <= 0) return null
  return (
    <time dateTime={`PT${video.duration_seconds}S`}>
      <span aria-hidden="true">{video.duration}</span>
      <span className="visually-hidden">{video.duration_spoken}</span>
    </time>
  )
}
