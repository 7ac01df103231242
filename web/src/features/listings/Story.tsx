import type { Ref } from 'react'
import type { ListingDetail } from '#/api/types'
import { Prose } from '#/ui/Prose'
import styles from './Story.module.css'

interface Props {
  place: Pick<ListingDetail, 'review'>
  /** Receives an empty element at the end of the story, or in its place. */
  end: Ref<HTMLSpanElement>
}

/** The review: HTML that the server has sanitised. */
export function Story({ place: { review }, end }: Props) {
  const mark = <span className={styles.end} ref={end} />
  if (!review?.body) return mark
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
      {mark}
    </div>
  )
}
