import type { ListingDetail } from '#/api/types'
import { Prose } from '#/ui/Prose'
import styles from './Story.module.css'

interface Props {
  place: Pick<ListingDetail, 'review'>
}

/** The review: HTML that the server has sanitised. */
export function Story({ place: { review } }: Props) {
  if (!review?.body) return null
  const date = review.written_on
  return (
    <div>
      <Prose html={review.body} isStory />
      {(review.author || date) && (
        <p className={styles.byline}>
          {review.author && <span className={styles.author}>By {review.author}</span>}
          {date && <time dateTime={review.date}>{date}</time>}
        </p>
      )}
    </div>
  )
}
