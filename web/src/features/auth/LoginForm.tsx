import { currentPath } from '#/lib/site-path'
import { EmailField } from '#/ui/form/EmailField'
import { Form, Submit } from '#/ui/form/Form'
import { TextField } from '#/ui/form/TextField'
import { switchDialog, type AuthDialogs } from './dialogs'
import { useLogin } from './mutations'
import { Terms } from './Terms'
import styles from './AuthDialogs.module.css'

const FIELDS = ['email', 'password'] as const

interface Props {
  dialogs: AuthDialogs
}

export function LoginForm({ dialogs }: Props) {
  const login = useLogin()
  return (
    <Form
      className={styles.form}
      fields={FIELDS}
      error={login.error}
      prefix="* "
      isBusy={login.isPending || login.isSuccess}
      onSend={(values) =>
        login.mutate({ ...values, next: dialogs.next ?? currentPath(), ...dialogs.intent })
      }
    >
      <EmailField />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={128}
      />
      <Submit>Log in to your account</Submit>
      <p className={styles.success} role="status">
        {login.isSuccess && 'Login successful.'}
      </p>
      <p className={styles.other}>
        <button type="button" className={styles.switch} onClick={() => switchDialog('reset')}>
          Forgot password?
        </button>
      </p>
      <p className={styles.other}>
        New here?{' '}
        <button type="button" className={styles.switch} onClick={() => switchDialog('signup')}>
          Sign up
        </button>
      </p>
      <Terms />
    </Form>
  )
}
