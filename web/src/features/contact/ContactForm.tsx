import { useState, type SubmitEvent } from 'react'
import { EmailField } from '#/features/auth/EmailField'
import { formErrors } from '#/features/auth/form-errors'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { Notice } from '#/ui/Notice'
import { SelectField } from '#/ui/SelectField'
import { TextAreaField } from '#/ui/TextAreaField'
import { TextField } from '#/ui/TextField'
import { LONGEST, SUBJECTS, useContact } from './contact'
import styles from './ContactForm.module.css'

const FIELDS = ['name', 'email', 'subject', 'message'] as const
const BLANK = {
  name: 'Enter your name.',
  email: 'Enter your email.',
  message: 'Enter a message.',
}
const OPTIONS = SUBJECTS.map((subject) => ({ value: subject, label: subject }))

interface Props {
  /** The preselected subject. */
  subject: (typeof SUBJECTS)[number]
}

/** The button that had the focus is gone with the form. */
function focusOn(element: HTMLElement | null): void {
  element?.focus()
}

/** The contact form; the server validates it and reports errors by field. */
export function ContactForm({ subject: first }: Props) {
  const [form, setForm] = useState<Record<(typeof FIELDS)[number], string>>({
    name: '',
    email: '',
    subject: first,
    message: '',
  })
  const contact = useContact()
  const errors = formErrors(contact.error, FIELDS, BLANK)
  const change = (changes: Partial<typeof form>): void => setForm({ ...form, ...changes })

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (contact.isPending) return
    contact.mutate(form, { onSuccess: () => announce('Your message is on its way.') })
  }

  const again = (): void => {
    change({ message: '' })
    contact.reset()
  }

  if (contact.isSuccess) {
    return (
      <div tabIndex={-1} ref={focusOn}>
        <Notice title="Your message is on its way">
          <p>Thank you. We read every message and reply to {form.email} if a reply is needed.</p>
          <Button look="outline" onClick={again}>
            Write another
          </Button>
        </Notice>
      </div>
    )
  }
  return (
    <form className={styles.form} aria-label="Contact" onSubmit={submit} noValidate>
      <TextField
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={LONGEST.name}
        value={form.name}
        message={errors.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <EmailField
        value={form.email}
        message={errors.email}
        onChange={(email) => change({ email })}
      />
      <SelectField
        label="Subject"
        look="box"
        value={form.subject}
        options={OPTIONS}
        message={errors.subject}
        onChange={(subject) => change({ subject })}
      />
      <TextAreaField
        label="Message"
        name="message"
        maxLength={LONGEST.message}
        value={form.message}
        message={errors.message}
        onChange={(event) => change({ message: event.target.value })}
      />
      {errors.other && (
        <p className={styles.error} role="alert">
          {errors.other}
        </p>
      )}
      <Button type="submit" isBusy={contact.isPending}>
        Send
      </Button>
    </form>
  )
}
