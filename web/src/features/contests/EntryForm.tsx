import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import type { Contest } from '#/api/types'
import { EmailField } from '#/features/auth/EmailField'
import { formErrors } from '#/features/auth/form-errors'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { CheckField } from '#/ui/CheckField'
import { TextField } from '#/ui/TextField'
import styles from './EntryForm.module.css'
import { useEnter } from './queries'

const FIELDS = ['full_name', 'email', 'answer', 'accepts_rules'] as const
const BLANK = {
  full_name: 'Enter your full name.',
  email: 'Enter your email.',
  answer: 'Enter your answer.',
}
/** The server's maximum lengths of a name and of an answer, in characters. */
const MAX_NAME = 255
const MAX_ANSWER = 1000

/** The form to enter a contest; the server validates it. */
export function EntryForm({ contest }: { contest: Contest }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [answer, setAnswer] = useState('')
  const [accepts, setAccepts] = useState(false)
  const enter = useEnter(contest.id)
  const errors = formErrors(enter.error, FIELDS, BLANK)

  if (enter.isSuccess) return <Entered email={email.trim()} />

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (enter.isPending) return
    enter.mutate({ full_name: name, email, answer, accepts_rules: accepts })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label="Enter the contest">
      {contest.question && (
        <div className={styles.question}>
          <TextField
            label={contest.question}
            name="answer"
            autoComplete="off"
            maxLength={MAX_ANSWER}
            value={answer}
            message={errors.answer}
            onChange={(event) => setAnswer(event.target.value)}
          />
        </div>
      )}
      <div className={styles.who}>
        <TextField
          label="Full name"
          name="full_name"
          autoComplete="name"
          maxLength={MAX_NAME}
          value={name}
          message={errors.full_name}
          onChange={(event) => setName(event.target.value)}
        />
        <EmailField value={email} onChange={setEmail} message={errors.email} />
      </div>
      <CheckField
        label="I accept the rules"
        name="accepts_rules"
        isChecked={accepts}
        message={errors.accepts_rules}
        onChange={setAccepts}
      />
      {errors.other && (
        <p className={styles.error} role="alert">
          {errors.other}
        </p>
      )}
      <Button className={styles.send} type="submit" isBusy={enter.isPending}>
        Enter the contest
      </Button>
    </form>
  )
}

const SUCCESS = 'You are in the draw'

function Entered({ email }: { email: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    announce(SUCCESS)
    // The button that had the focus is gone.
    heading.current?.focus()
  }, [])
  return (
    <div className={styles.entered}>
      <h2 className={styles.success} ref={heading} tabIndex={-1}>
        {SUCCESS}
      </h2>
      <p>
        Your entry has been received. If you win, we will write to <b>{email}</b>. Good luck!
      </p>
    </div>
  )
}
