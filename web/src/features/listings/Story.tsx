import type { ListingDetail } from '#/api/types'
import { Prose } from '#/ui/Prose'
import styles from './Story.module.css'

interface Props {
  place: ListingDetail
}

/** The review: HTML that the server has sanitised. */
export function Story({ place }: Props) {
  const review = place.review
  if (!review?.body) {
    return (
      <p className={styles.none}>
        We have not written about {place.name} yet. Everything we know about it is on this page.
      </p>
    )
  }
  const date = review.written_on
  return (
    <div>
      {(review.author || date) && (
        <p className={styles.byline}>
          {review.author && <span className={styles.author}>By {review.author}</span>}
          {date && <time dateTime={review.date}>{date}</time>}
        </p>
      )}
      <Prose html={review.body} isStory />
    </div>
  )
}
