import { useState, type SubmitEvent } from 'react'
import { currentPath } from '#/lib/site-path'
import { Button } from '#/ui/Button'
import { TextField } from '#/ui/TextField'
import { switchDialog, type AuthDialogs } from './dialogs'
import { EmailField } from './EmailField'
import { formErrors, MISMATCH, starred } from './form-errors'
import { useSignUp } from './mutations'
import { Terms } from './Terms'
import styles from './AuthDialogs.module.css'

const FIELDS = ['full_name', 'email', 'password', 'password_repeat'] as const

interface Props {
  dialogs: AuthDialogs
}

export function SignUpForm({ dialogs }: Props) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [repeat, setRepeat] = useState('')
  const [isMismatch, setMismatch] = useState(false)
  const signUp = useSignUp()
  const errors = formErrors(signUp.error, FIELDS)
  const isBusy = signUp.isPending || signUp.isSuccess

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (isBusy) return
    setMismatch(password !== repeat)
    if (password !== repeat) {
      signUp.reset()
      return
    }
    signUp.mutate({
      full_name: name,
      email,
      password,
      password_repeat: repeat,
      next: dialogs.next ?? currentPath(),
      ...dialogs.intent,
    })
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label="Full name"
        name="full_name"
        autoComplete="name"
        maxLength={255}
        value={name}
        message={starred(errors.full_name)}
        onChange={(event) => setName(event.target.value)}
      />
      <EmailField value={email} onChange={setEmail} message={starred(errors.email)} />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        maxLength={128}
        value={password}
        message={starred(errors.password)}
        onChange={(event) => setPassword(event.target.value)}
      />
      <TextField
        label="Repeat the password"
        name="password_repeat"
        type="password"
        autoComplete="new-password"
        maxLength={128}
        value={repeat}
        message={isMismatch ? MISMATCH : starred(errors.password_repeat)}
        onChange={(event) => setRepeat(event.target.value)}
      />
      {errors.other && (
        <p className={styles.error} role="alert">
          {starred(errors.other)}
        </p>
      )}
      <Button type="submit" isBusy={isBusy}>
        Sign up
      </Button>
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
    </form>
  )
}
