import { currentPath } from '#/lib/site-path'
import { EmailField } from '#/ui/form/EmailField'
import { Form, Submit } from '#/ui/form/Form'
import { TextField } from '#/ui/form/TextField'
import { switchDialog, type AuthDialogs } from './dialogs'
import { useSignUp } from './mutations'
import { NewPassword } from './NewPassword'
import { Terms } from './Terms'
import styles from './AuthDialogs.module.css'

const FIELDS = ['full_name', 'email', 'password', 'password_repeat'] as const

interface Props {
  dialogs: AuthDialogs
}

export function SignUpForm({ dialogs }: Props) {
  const signUp = useSignUp()
  return (
    <Form
      className={styles.form}
      fields={FIELDS}
      error={signUp.error}
      prefix="* "
      isBusy={signUp.isPending || signUp.isSuccess}
      onSend={(values) =>
        signUp.mutate({ ...values, next: dialogs.next ?? currentPath(), ...dialogs.intent })
      }
    >
      <TextField label="Full name" name="full_name" autoComplete="name" maxLength={255} />
      <EmailField />
      <NewPassword label="Password" name="password" repeatLabel="Repeat the password" />
      <Submit>Sign up</Submit>
      <p className={styles.success} role="status">
        {signUp.isSuccess && 'Your account is ready.'}
      </p>
      <p className={styles.other}>
        Have an account?{' '}
        <button type="button" className={styles.switch} onClick={() => switchDialog('login')}>
          Log in
        </button>
      </p>
      <Terms />
    </Form>
  )
}
