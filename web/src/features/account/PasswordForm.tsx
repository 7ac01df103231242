import { NewPassword } from '#/features/auth/NewPassword'
import { Form, Submit } from '#/ui/form/Form'
import { TextField } from '#/ui/form/TextField'
import styles from './forms.module.css'
import { useChangePassword } from './mutations'

const FIELDS = ['current_password', 'new_password', 'password_repeat'] as const

interface Props {
  onDone: () => void
}

export function PasswordForm({ onDone }: Props) {
  const change = useChangePassword()
  return (
    <Form
      className={styles.form}
      fields={FIELDS}
      error={change.error}
      prefix="* "
      isBusy={change.isPending}
      onSend={({ current_password, new_password }) =>
        change.mutate({ current_password, new_password }, { onSuccess: onDone })
      }
    >
      <TextField
        label="Current password"
        name="current_password"
        type="password"
        autoComplete="current-password"
        maxLength={128}
      />
      <NewPassword label="New password" name="new_password" repeatLabel="Repeat the new password" />
      <Submit>Change the password</Submit>
    </Form>
  )
}
