import { formErrors } from './errors'
import styles from './Failure.module.css'

const NO_FIELDS = [] as const

interface Props {
  error: Error | null
  /** The fields that were sent, if no form shows their errors. */
  fields?: readonly string[]
}

/** The reason why an action failed. */
export function Failure({ error, fields: names = NO_FIELDS }: Props) {
  const { fields, other } = formErrors(error, names)
  const messages = [...Object.values(fields), ...(other ? [other] : [])]
  if (messages.length === 0) return null
  return (
    <p className={styles.error} role="alert">
      {messages.join(' ')}
    </p>
  )
}
