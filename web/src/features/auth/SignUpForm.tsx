import { currentPath } from '#/lib/site-path'
import { EmailField } from '#/ui/form/EmailField'
import { Form, Submit } from '#/ui/form/Form'
import { TextField } from '#/ui/form/TextField'
import { switchDialog, type AuthDialogs } from './dialogs'
import { useSignUp } from './mutations'
import { Terms } from './Terms'
import styles from './AuthDialogs.module.css'

const FIELDS = ['full_name', 'email', 'password', 'password_repeat'] as const
const MISMATCH = "* The two passwords fields didn't match."

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
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        maxLength={128}
      />
      <TextField
        label="Repeat the password"
        name="password_repeat"
        type="password"
        autoComplete="new-password"
        maxLength={128}
        validate={(repeat, { password }) => (repeat === password ? null : MISMATCH)}
      />
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
