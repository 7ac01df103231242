import { CheckIcon } from '#/ui/icons'
import { useSavedValue } from './use-saved'
import styles from './SaveButton.module.css'

interface Props {
  objectId: number
  name: string
  /** Whether the to-do was done when the list was loaded. */
  wasDone: boolean
}

/** Marks a to-do as done, or as not done. */
export function DoneButton({ objectId, name, wasDone }: Props) {
  const { value, put } = useSavedValue('todo', objectId)
  const isDone = typeof value === 'boolean' ? value : wasDone
  return (
    <button
      type="button"
      className={`${styles.save} ${styles.round} ${styles.done}`}
      aria-pressed={isDone}
      aria-label={`Done: ${name}`}
      data-on={isDone || undefined}
      onClick={() => put(!isDone)}
    >
      <CheckIcon className={styles.icon} />
    </button>
  )
}
