import type { MouseEvent } from 'react'
import { useNewsletter } from '#/features/newsletters/newsletters'
import { currentPath } from '#/lib/site-path'
import { Button } from '#/ui/Button'
import { CheckField } from '#/ui/form/CheckField'
import { EmailField } from '#/ui/form/EmailField'
import { Form, Submit } from '#/ui/form/Form'
import { TextField } from '#/ui/form/TextField'
import { switchDialog, type AuthDialogs } from './dialogs'
import { useFacebook } from './facebook'
import { FacebookLink } from './FacebookLink'
import { usePasskeySignUp, useSignUp } from './mutations'
import { NewPassword } from './NewPassword'
import { usePasskeys } from './passkeys'
import { Terms } from './Terms'
import styles from './AuthDialogs.module.css'

const FIELDS = ['full_name', 'email', 'password', 'password_repeat', 'news'] as const

interface Props {
  dialogs: AuthDialogs
}

export function SignUpForm({ dialogs }: Props) {
  const hasPasskeys = usePasskeys()
  const hasFacebook = useFacebook()
  const newsletter = useNewsletter('news')
  const signUp = useSignUp()
  const passkey = usePasskeySignUp()
  const to = { next: dialogs.next ?? currentPath(), ...dialogs.intent }
  const isSuccess = signUp.isSuccess || passkey.isSuccess
  const isByEmail = signUp.isPending || signUp.isSuccess
  const isByPasskey = passkey.isPending || passkey.isSuccess
  const makePasskey = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>): void => {
    const field = (name: string): string => {
      const control = form?.elements.namedItem(name)
      return control instanceof HTMLInputElement ? control.value : ''
    }
    signUp.reset()
    passkey.mutate({ full_name: field('full_name'), email: field('email'), ...to })
  }
  return (
    <Form
      className={styles.form}
      fields={FIELDS}
      error={signUp.error ?? passkey.error}
      prefix="* "
      isBusy={isByEmail}
      isInert={isByPasskey}
      onSend={({ news, ...values }) => {
        passkey.reset()
        signUp.mutate({ ...values, ...(news && { newsletter_settings: { news: true } }), ...to })
      }}
    >
      {hasFacebook && (
        <>
          <FacebookLink to={to}>Sign up with Facebook</FacebookLink>
          <h3 className={styles.or}>Or sign up with email</h3>
        </>
      )}
      <TextField label="Full name" name="full_name" autoComplete="name" maxLength={255} />
      <EmailField />
      {hasPasskeys && (
        <>
          <Button look="outline" isBusy={isByPasskey} isInert={isByEmail} onClick={makePasskey}>
            Sign up with a passkey
          </Button>
          <h3 className={styles.or}>Or choose a password</h3>
        </>
      )}
      <NewPassword label="Password" name="password" repeatLabel="Repeat the password" />
      {newsletter && <CheckField name="news" label={newsletter.consent} />}
      <Submit>Sign up</Submit>
      <p className={styles.success} role="status">
        {isSuccess && 'Your account is ready.'}
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
