import type { Video } from '#/api/types'
import { hostOf, isWebAddress } from '#/lib/web-address'
import { PlayIcon } from '#/ui/icons'
import { Duration } from './Duration'
import styles from './Poster.module.css'
import { VideoPicture } from './VideoPicture'

/**
 * The still of a video. It plays where it is kept, in a tab of its own and on a click only: the page
 * tells nobody else that it was opened.
 */
export function Poster({ video }: { video: Video }) {
  // Of a restricted video no address is sent before consent.
  if (!isWebAddress(video.source_url)) return <VideoPicture video={video} isFirst />
  return (
    <a className={styles.poster} href={video.source_url} target="_blank" rel="noopener noreferrer">
      <VideoPicture video={video} isFirst />
      <span className={styles.play}>
        <span className={styles.disc}>
          <PlayIcon className={styles.icon} />
        </span>
        <span className={styles.words}>
          <span className={styles.title}>
            Play<span className="visually-hidden"> {video.name}, </span>{' '}
            <Duration seconds={video.duration_seconds} />
          </span>{' '}
          <span className={styles.where}>
            on {hostOf(video.source_url)}
            <span className="visually-hidden"> in a new tab</span>
          </span>
        </span>
      </span>
    </a>
  )
}
