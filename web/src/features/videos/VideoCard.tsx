import type { Video } from '#/api/types'
import { SaveButton } from '#/features/saved/SaveButton'
import { useSite } from '#/features/site/site'
import { Card, type CardProps } from '#/ui/Card'
import { PlayIcon } from '#/ui/icons'
import { Duration } from './Duration'
import styles from './VideoCard.module.css'
import { VideoPicture } from './VideoPicture'

interface Props extends Pick<CardProps, 'look' | 'heading' | 'action' | 'deck'> {
  video: Video
  isFirst?: boolean
}

/** A card with the video's still and length. */
export function VideoCard({ video, isFirst = false, ...rest }: Props) {
  const site = useSite()
  const { date_published: published, published_on: day } = video
  return (
    <Card
      name={video.name}
      href={video.share_url}
      picture={
        <div className={styles.frame}>
          <VideoPicture video={video} isFirst={isFirst} />
          <span className={styles.play}>
            <PlayIcon className={styles.icon} />
          </span>
          {video.duration_seconds > 0 && (
            <p className={styles.length}>
              <Duration video={video} />
            </p>
          )}
        </div>
      }
      note={video.is_age_restricted ? `${site.legal_age}+` : undefined}
      deck={video.excerpt}
      meta={day && <time dateTime={published ?? undefined}>{day}</time>}
      action={<SaveButton kind="video-bookmark" objectId={video.id} name={video.name} />}
      {...rest}
    />
  )
}
