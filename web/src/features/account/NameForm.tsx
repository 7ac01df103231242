import { Form, Submit } from '#/ui/form/Form'
import { TextField } from '#/ui/form/TextField'
import styles from './forms.module.css'
import { useChangeProfile } from './mutations'

const FIELDS = ['full_name'] as const

interface Props {
  name: string
  onDone: () => void
}

export function NameForm({ name, onDone }: Props) {
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
      <TextField
        label="Full name"
        name="full_name"
        autoComplete="name"
        maxLength={255}
        defaultValue={name}
      />
      <Submit>Save</Submit>
    </Form>
  )
}
