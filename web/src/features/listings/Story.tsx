import type { Ref } from 'react'
import type { ListingDetail } from '#/api/types'
import { Prose } from '#/ui/Prose'
import styles from './Story.module.css'

interface Props {
  place: ListingDetail
  /** Receives an empty element at the end of the story, or of the sentence in its place. */
  end: Ref<HTMLSpanElement>
}

/** The review: HTML that the server has sanitised. */
export function Story({ place, end }: Props) {
  const review = place.review
  if (!review?.body) {
    return (
      <p className={styles.none}>
        We have not written about {place.name} yet. Everything we know about it is on this page.
        <span className={styles.end} ref={end} />
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
      <span className={styles.end} ref={end} />
    </div>
  )
}
