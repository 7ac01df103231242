import { useState, type ReactNode } from 'react'
import type { Profile as ProfileData } from '#/api/types'
import { announce } from '#/ui/Announcer'
import { useResetPassword } from '#/features/auth/mutations'
import { Button } from '#/ui/Button'
import { Fact, Facts } from '#/ui/Facts'
import { ChangeButton } from './ChangeButton'
import { EmailForm } from './EmailForm'
import { EmailState } from './EmailState'
import { Failure } from '#/ui/form/Failure'
import { NameForm } from './NameForm'
import { OwnPicture } from './OwnPicture'
import { PasswordForm } from './PasswordForm'
import styles from './Profile.module.css'

const PROFILE = 'profile'

/** The reader's picture, name, email and password, each with its button. */
export function Profile({ me }: { me: ProfileData }) {
  const [isPasswordChanged, setPasswordChanged] = useState(false)
  return (
    <section className={styles.section} aria-labelledby={PROFILE}>
      <h2 className={styles.title} id={PROFILE}>
        Your profile
      </h2>
      <Facts>
        <Fact name="Picture">
          <OwnPicture full_name={me.full_name} avatar_url={me.avatar_url} />
        </Fact>
        <Fact name="Name">
          <Line
            change={
              <ChangeButton what="name">
                {(close) => (
                  <NameForm
                    name={me.full_name}
                    onDone={() => {
                      announce('Your name is changed.')
                      close()
                    }}
                  />
                )}
              </ChangeButton>
            }
          >
            {me.full_name}
          </Line>
        </Fact>
        <Fact name="Email">
          <Line
            change={
              <ChangeButton what="email">{(close) => <EmailForm onDone={close} />}</ChangeButton>
            }
          >
            {me.email}
          </Line>
          <EmailState me={me} />
        </Fact>
        <Fact name="Password">
          {me.has_password ? (
            <PasswordLine onChanged={() => setPasswordChanged(true)} />
          ) : (
            <NoPassword email={me.email} />
          )}
          <p className={styles.note} role="status">
            {isPasswordChanged && 'Your password is changed. Your other devices are logged out.'}
          </p>
        </Fact>
      </Facts>
    </section>
  )
}

function PasswordLine({ onChanged }: { onChanged: () => void }) {
  return (
    <Line
      change={
        <ChangeButton what="password">
          {(close) => (
            <PasswordForm
              onDone={() => {
                onChanged()
                close()
              }}
            />
          )}
        </ChangeButton>
      }
    >
      <span aria-hidden="true">••••••••</span>
    </Line>
  )
}

/** Sets the first password of an account by a mailed link, as after a forgotten password. */
function NoPassword({ email }: { email: string }) {
  const send = useResetPassword()
  return (
    <>
      <Line
        change={
          <Button look="outline" isBusy={send.isPending} onClick={() => send.mutate({ email })}>
            Set a password
          </Button>
        }
      >
        None
      </Line>
      <p className={styles.note} role="status">
        {send.isSuccess
          ? `We have sent a link to ${email}. It works for one hour.`
          : 'You log in without a password.'}
      </p>
      <Failure error={send.error} />
    </>
  )
}

interface LineProps {
  change: ReactNode
  children: ReactNode
}

function Line({ change, children }: LineProps) {
  return (
    <div className={styles.line}>
      <span>{children}</span>
      {change}
    </div>
  )
}
