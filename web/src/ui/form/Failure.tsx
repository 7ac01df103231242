import { formErrors } from './errors'
import styles from './Failure.module.css'

const NO_FIELDS = [] as const

/** Why something without fields was not done. */
export function Failure({ error }: { error: Error | null }) {
  const { other } = formErrors(error, NO_FIELDS)
  if (!other) return null
  return (
    <p className={styles.error} role="alert">
      {other}
    </p>
  )
}
