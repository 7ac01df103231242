import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Contest } from '#/api/types'
import { useSession } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { announce } from '#/ui/Announcer'
import { CheckField } from '#/ui/form/CheckField'
import { EmailField } from '#/ui/form/EmailField'
import { Form, Submit } from '#/ui/form/Form'
import { TextField } from '#/ui/form/TextField'
import styles from './EntryForm.module.css'
import type { Entering } from './queries'

const FIELDS = ['full_name', 'email', 'answer', 'accepts_rules'] as const
const BLANK = {
  full_name: 'Enter your full name.',
  email: 'Enter your email.',
  answer: 'Enter your answer.',
}
/** The server's maximum lengths of a name and of an answer, in characters. */
const MAX_NAME = 255
const MAX_ANSWER = 1000

interface Props {
  contest: Contest
  enter: Entering
}

/** The form to enter a contest, with a signed-in reader's name and address; the server validates it. */
export function EntryForm({ contest, enter }: Props) {
  const isReader = useSession().status === 'member'
  const me = useQuery({ ...meOptions(), enabled: isReader }).data
  // The first reader whose data arrives before anything is typed: later data must not replace the input.
  const [filled, setFilled] = useState(me)
  const [isTyped, setTyped] = useState(false)
  if (me && !filled && !isTyped) setFilled(me)
  if (enter.isSuccess) return <Entered email={enter.variables.email?.trim() ?? ''} />

  return (
    <Form
      className={styles.form}
      aria-label="Enter the contest"
      fields={FIELDS}
      error={enter.error}
      blank={BLANK}
      isBusy={enter.isPending}
      onSend={({ accepts_rules: accepts, ...values }) =>
        enter.mutate({ ...values, accepts_rules: accepts !== '' })
      }
    >
      {contest.question && (
        <div className={styles.question}>
          <TextField
            label={contest.question}
            name="answer"
            autoComplete="off"
            maxLength={MAX_ANSWER}
          />
        </div>
      )}
      {/* Another key, because fields ignore a later default. */}
      <div className={styles.who} key={filled?.id} onInput={() => setTyped(true)}>
        <TextField
          label="Full name"
          name="full_name"
          autoComplete="name"
          maxLength={MAX_NAME}
          defaultValue={filled?.full_name ?? ''}
        />
        <EmailField defaultValue={filled?.email ?? ''} />
      </div>
      <CheckField label="I accept the rules" name="accepts_rules" />
      <Submit className={styles.send}>Enter the contest</Submit>
    </Form>
  )
}

/** Confirms an entry. */
export const SUCCESS = 'You are in the draw'

function Entered({ email }: { email: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    announce(SUCCESS)
    // The focused button has been removed.
    heading.current?.focus()
  }, [])
  return (
    <div className={styles.entered}>
      <h2 className={styles.success} ref={heading} tabIndex={-1}>
        {SUCCESS}
      </h2>
      <p>
        Your entry has been received, and we have sent a mail about it to <b>{email}</b>. If you
        win, we will write to the same address. Good luck!
      </p>
    </div>
  )
}
