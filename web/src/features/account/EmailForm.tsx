import { EmailField } from '#/ui/form/EmailField'
import { Form, Submit } from '#/ui/form/Form'
import styles from './forms.module.css'
import { useChangeProfile } from './mutations'

const FIELDS = ['email'] as const

interface Props {
  onDone: () => void
}

/** Requests a new address, which replaces the old one once the reader opens the mailed link. */
export function EmailForm({ onDone }: Props) {
  const change = useChangeProfile()
  return (
    <Form
      className={styles.form}
      fields={FIELDS}
      error={change.error}
      prefix="* "
      isBusy={change.isPending}
      onSend={(values) => change.mutate(values, { onSuccess: onDone })}
    >
      <EmailField label="New email" />
      <Submit>Send a link to it</Submit>
    </Form>
  )
}
