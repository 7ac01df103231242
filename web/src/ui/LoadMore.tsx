import { Button } from './Button'
import styles from './LoadMore.module.css'

interface Props {
  hasMore: boolean
  isLoading: boolean
  isFailed: boolean
  /** How many are shown, and of how many; -1 where nobody knows. */
  loaded: number
  total: number
  onMore: () => void
}

/** What stands below a list that has another page. */
export function LoadMore({ hasMore, isLoading, isFailed, loaded, total, onMore }: Props) {
  return (
    <div className={styles.more}>
      {total > loaded && (
        <p className={styles.progress}>
          {loaded.toLocaleString()} of {total.toLocaleString()}
        </p>
      )}
      {isFailed && !isLoading && (
        <p role="alert">The next ones did not load. What is shown stays here.</p>
      )}
      {hasMore && (
        <Button look="outline" isBusy={isLoading} onClick={onMore}>
          {isFailed && !isLoading ? 'Try again' : 'Load More'}
        </Button>
      )}
    </div>
  )
}
