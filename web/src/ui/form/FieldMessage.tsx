import { Field } from '@base-ui/react/field'
import styles from './FieldMessage.module.css'

/** The error message of the field around it. */
export function FieldMessage() {
  return <Field.Error className={styles.message} render={<p role="alert" />} />
}
