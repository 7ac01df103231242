import { grouped } from '#/lib/words'
import { Button } from './Button'
import styles from './LoadMore.module.css'

interface Props {
  hasMore: boolean
  isLoading: boolean
  isFailed: boolean
  /** The number of shown items, and the total, or -1 if it is unknown. */
  loaded: number
  total: number
  onMore: () => void
}

/** The Load More button below a list, with its progress and errors. */
export function LoadMore({ hasMore, isLoading, isFailed, loaded, total, onMore }: Props) {
  return (
    <div className={styles.more}>
      {total > loaded && (
        <p className={styles.progress}>
          {grouped(loaded)} of {grouped(total)}
        </p>
      )}
      {isFailed && !isLoading && <p role="alert">The next page did not load.</p>}
      {hasMore && (
        <Button look="outline" isBusy={isLoading} onClick={onMore}>
          {isFailed && !isLoading ? 'Try again' : 'Load More'}
        </Button>
      )}
    </div>
  )
}
