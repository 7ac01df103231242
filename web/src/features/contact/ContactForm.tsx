import { useState } from 'react'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { ChoiceField } from '#/ui/form/ChoiceField'
import { EmailField } from '#/ui/form/EmailField'
import { Form, Submit } from '#/ui/form/Form'
import { TextAreaField } from '#/ui/form/TextAreaField'
import { TextField } from '#/ui/form/TextField'
import { Notice } from '#/ui/Notice'
import { MAX_LENGTHS, SUBJECTS, useContact } from './contact'
import styles from './ContactForm.module.css'

const FIELDS = ['name', 'email', 'subject', 'message'] as const
const BLANK = {
  name: 'Enter your name.',
  email: 'Enter your email.',
  message: 'Enter a message.',
}

type Sender = Record<'name' | 'email' | 'subject', string>

interface Props {
  /** The preselected subject. */
  subject: (typeof SUBJECTS)[number]
}

/** Takes the focus of the button that was removed with the form. */
function focusOn(element: HTMLElement | null): void {
  element?.focus()
}

/** The contact form; the server validates it and reports errors by field. */
export function ContactForm({ subject: first }: Props) {
  // The next message starts with the same sender and subject.
  const [sent, setSent] = useState<Sender>({ name: '', email: '', subject: first })
  const contact = useContact()

  if (contact.isSuccess) {
    return (
      <div tabIndex={-1} ref={focusOn}>
        <Notice title="Your message is on its way">
          <p>Thank you. We read every message and reply to {sent.email} if a reply is needed.</p>
          <Button look="outline" onClick={() => contact.reset()}>
            Write another
          </Button>
        </Notice>
      </div>
    )
  }
  return (
    <Form
      className={styles.form}
      aria-label="Contact"
      fields={FIELDS}
      error={contact.error}
      blank={BLANK}
      isBusy={contact.isPending}
      onSend={(values) =>
        contact.mutate(values, {
          onSuccess: () => {
            setSent(values)
            announce('Your message is on its way.')
          },
        })
      }
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={MAX_LENGTHS.name}
        defaultValue={sent.name}
      />
      <EmailField defaultValue={sent.email} />
      <ChoiceField label="Subject" name="subject" options={SUBJECTS} defaultValue={sent.subject} />
      <TextAreaField label="Message" name="message" maxLength={MAX_LENGTHS.message} />
      <Submit>Send</Submit>
    </Form>
  )
}
