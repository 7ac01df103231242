import { formErrors } from './errors'
import styles from './Failure.module.css'

const NO_FIELDS = [] as const

interface Props {
  error: Error | null
  /** The fields that were sent, where there is no form that shows what is wrong with each. */
  fields?: readonly string[]
}

/** Why something was not done. */
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
