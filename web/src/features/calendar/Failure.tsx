import { formErrors } from '#/ui/form/errors'
import styles from './Calendar.module.css'

const NO_FIELDS = [] as const

/** Why nothing has changed. */
export function Failure({ error }: { error: Error | null }) {
  const { other } = formErrors(error, NO_FIELDS)
  if (!other) return null
  return (
    <p className={styles.error} role="alert">
      {other}
    </p>
  )
}
