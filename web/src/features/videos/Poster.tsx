import type { Video } from '#/api/types'
import { ThirdPartyLink } from '#/features/consent/ThirdPartyLink'
import { PlayIcon } from '#/ui/icons'
import { Duration } from './Duration'
import styles from './Poster.module.css'
import { VideoPicture } from './VideoPicture'

/**
 * The still of a video, which plays on its host's site: in a new tab after a click, so that the page itself sends
 * the host no request. It asks first, unless the reader allows third-party content.
 */
export function Poster({ video }: { video: Video }) {
  // The server omits the address of a restricted video until the reader has confirmed their age.
  if (!video.source_host) return <VideoPicture video={video} isFirst />
  return (
    <ThirdPartyLink
      className={styles.poster}
      href={video.source_url}
      target="_blank"
      rel="noopener noreferrer"
      what={`The video comes from ${video.source_host}`}
      onward={`Play it on ${video.source_host}`}
    >
      <VideoPicture video={video} isFirst />
      <span className={styles.play}>
        <span className={styles.disc}>
          <PlayIcon className={styles.icon} />
        </span>
        <span className={styles.words}>
          <span className={styles.title}>
            Play<span className="visually-hidden">{` ${video.name}, `}</span>{' '}
            <Duration video={video} />
          </span>{' '}
          <span className={styles.where}>
            on {video.source_host}
            <span className="visually-hidden"> in a new tab</span>
          </span>
        </span>
      </span>
    </ThirdPartyLink>
  )
}
