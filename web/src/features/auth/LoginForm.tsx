import { useState, type SubmitEvent } from 'react'
import { currentPath } from '#/lib/site-path'
import { Button } from '#/ui/Button'
import { TextField } from '#/ui/TextField'
import { switchDialog, type AuthDialogs } from './dialogs'
import { EmailField } from './EmailField'
import { formErrors, starred } from './form-errors'
import { useLogin } from './mutations'
import { Terms } from './Terms'
import styles from './AuthDialogs.module.css'

interface Props {
  dialogs: AuthDialogs
}

export function LoginForm({ dialogs }: Props) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const login = useLogin()
  const errors = formErrors(login.error, ['email', 'password'])
  const isBusy = login.isPending || login.isSuccess

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (isBusy) return
    login.mutate({ email, password, next: dialogs.next ?? currentPath(), ...dialogs.intent })
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <EmailField value={email} onChange={setEmail} message={starred(errors.email)} />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={128}
        value={password}
        message={starred(errors.password)}
        onChange={(event) => setPassword(event.target.value)}
      />
      {errors.other && (
        <p className={styles.error} role="alert">
          {starred(errors.other)}
        </p>
      )}
      <Button type="submit" isBusy={isBusy}>
        Log in to your account
      </Button>
      <p className={styles.success} role="status">
        {login.isSuccess && 'Login successful.'}
      </p>
      <p className={styles.other}>
        New here?{' '}
        <button type="button" className={styles.switch} onClick={() => switchDialog('signup')}>
          Sign up
        </button>
      </p>
      <Terms />
    </form>
  )
}
