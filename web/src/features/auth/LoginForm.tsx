import { useState } from 'react'
import { queryClient } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { currentPath } from '#/lib/site-path'
import { Button } from '#/ui/Button'
import { EmailField } from '#/ui/form/EmailField'
import { Form, Submit } from '#/ui/form/Form'
import { TextField } from '#/ui/form/TextField'
import { switchDialog, type AuthDialogs } from './dialogs'
import { useFacebook } from './facebook'
import { FacebookLink } from './FacebookLink'
import { useLogin, usePasskeyLogin } from './mutations'
import { usePasskeyInField } from './passkey-in-field'
import { usePasskeys } from './passkeys'
import { Terms } from './Terms'
import styles from './AuthDialogs.module.css'

const FIELDS = ['email', 'password'] as const

const REASONS = {
  ended: 'You were logged out. Log in again to continue.',
  proof: 'Please confirm that it is you: this changes how your account is accessed.',
}

interface Props {
  dialogs: AuthDialogs
}

/** The address of the signed-in reader, if it has been loaded. */
function ownEmail(): string {
  return queryClient.getQueryData(meOptions().queryKey)?.email ?? ''
}

export function LoginForm({ dialogs }: Props) {
  const [round, setRound] = useState(0)
  const hasPasskeys = usePasskeys()
  const hasFacebook = useFacebook()
  const login = useLogin()
  const passkey = usePasskeyLogin()
  const to = { next: dialogs.next ?? currentPath(), ...dialogs.intent }
  const isSuccess = login.isSuccess || passkey.isSuccess
  const isByEmail = login.isPending || login.isSuccess
  const isByPasskey = passkey.isPending || passkey.isSuccess
  const askAgain = (): void => setRound((last) => last + 1)
  usePasskeyInField(hasPasskeys, round, (answer) => {
    login.reset()
    passkey.mutate({ answer, ...to }, { onError: askAgain })
  })
  return (
    <Form
      className={styles.form}
      fields={FIELDS}
      error={login.error ?? passkey.error}
      prefix="* "
      isBusy={isByEmail}
      isInert={isByPasskey}
      onSend={(values) => {
        passkey.reset()
        login.mutate({ ...values, ...to })
      }}
    >
      {dialogs.relogin && <p>{REASONS[dialogs.relogin.reason]}</p>}
      {hasFacebook && <FacebookLink to={to}>Log in with Facebook</FacebookLink>}
      {hasPasskeys && (
        <Button
          look="outline"
          isBusy={isByPasskey}
          isInert={isByEmail}
          onClick={() => {
            login.reset()
            passkey.mutate(to, { onError: askAgain })
          }}
        >
          Log in with a passkey
        </Button>
      )}
      {(hasFacebook || hasPasskeys) && <h3 className={styles.or}>Or log in with email</h3>}
      <EmailField
        autoComplete={hasPasskeys ? 'username webauthn' : 'username'}
        {...(dialogs.relogin?.reason === 'proof' && { defaultValue: ownEmail() })}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={128}
      />
      <Submit>Log in to your account</Submit>
      <p className={styles.success} role="status">
        {isSuccess && 'Login successful.'}
      </p>
      <p className={styles.other}>
        <button type="button" className={styles.switch} onClick={() => switchDialog('reset')}>
          Forgot password?
        </button>
      </p>
      {dialogs.relogin?.reason !== 'proof' && (
        <>
          <p className={styles.other}>
            New here?{' '}
            <button type="button" className={styles.switch} onClick={() => switchDialog('signup')}>
              Sign up
            </button>
          </p>
          <Terms />
        </>
      )}
    </Form>
  )
}
