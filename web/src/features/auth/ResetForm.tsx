import { EmailField } from '#/ui/form/EmailField'
import { Form, Submit } from '#/ui/form/Form'
import { switchDialog } from './dialogs'
import { useResetPassword } from './mutations'
import styles from './AuthDialogs.module.css'

const FIELDS = ['email'] as const
/** Does not reveal whether the address has an account. */
const SENT = 'If an account has this address, we have just sent it a link. It works for one hour.'

/** Requests the link to a new password. */
export function ResetForm() {
  const reset = useResetPassword()
  return (
    <Form
      className={styles.form}
      fields={FIELDS}
      error={reset.error}
      prefix="* "
      isBusy={reset.isPending}
      onSend={(values) => reset.mutate(values)}
    >
      <EmailField label="Email used for account" />
      <Submit>Send me a link</Submit>
      <p className={styles.success} role="status">
        {reset.isSuccess && SENT}
      </p>
      <p className={styles.other}>
        Remember it after all?{' '}
        <button type="button" className={styles.switch} onClick={() => switchDialog('login')}>
          Log in
        </button>
      </p>
    </Form>
  )
}
