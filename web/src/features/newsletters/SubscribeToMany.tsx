import { useState } from 'react'
import { useSite } from '#/features/site/site'
import { ReadableError } from '#/lib/readable-error'
import { CheckField } from '#/ui/form/CheckField'
import { EmailField } from '#/ui/form/EmailField'
import { Form, Submit } from '#/ui/form/Form'
import { useSubscribe } from './mutations'
import { NewsletterItem, NewsletterList } from './NewsletterItem'
import { Success } from './Success'
import styles from './SubscribeToMany.module.css'
import { useSent } from './use-sent'

const NONE = new ReadableError('Choose at least one newsletter.')
const BLANK = { email: 'Enter your email.' }

/** Subscribes a guest to as many newsletters as they tick. */
export function SubscribeToMany() {
  const { newsletters } = useSite()
  const [isEmpty, setEmpty] = useState(false)
  const subscribe = useSubscribe()
  const stage = useSent(subscribe.isSuccess)
  const kinds = newsletters.map(({ kind }) => kind)
  if (stage === 'sent') return <Success />
  return (
    <Form
      className={`${styles.form} ${stage === 'leaving' ? styles.leaving : ''}`}
      aria-label="Newsletters"
      fields={['email', ...kinds]}
      error={isEmpty ? NONE : subscribe.error}
      blank={BLANK}
      needsEmail
      isBusy={subscribe.isPending || stage === 'leaving'}
      onSend={({ email = '', ...ticks }) => {
        const ticked = kinds.filter((kind) => ticks[kind])
        setEmpty(ticked.length === 0)
        if (ticked.length === 0) return
        subscribe.mutate({ email, ...Object.fromEntries(ticked.map((kind) => [kind, true])) })
      }}
    >
      <NewsletterList>
        {newsletters.map((newsletter) => (
          <li key={newsletter.kind}>
            <CheckField name={newsletter.kind} label={<NewsletterItem newsletter={newsletter} />} />
          </li>
        ))}
      </NewsletterList>
      <EmailField label="Send them to" placeholder="you@example.com" />
      <Submit>Subscribe</Submit>
    </Form>
  )
}
