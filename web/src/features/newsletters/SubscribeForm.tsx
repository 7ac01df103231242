import { useQuery } from '@tanstack/react-query'
import type { Newsletter } from '#/api/types'
import { useSession } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { CheckField } from '#/ui/form/CheckField'
import { EmailField } from '#/ui/form/EmailField'
import { Failure } from '#/ui/form/Failure'
import { Form, Submit } from '#/ui/form/Form'
import { SiteLink } from '#/ui/SiteLink'
import { useChangeNewsletters, useSubscribe } from './mutations'
import { isOn, PROMOTIONS, useNewsletter } from './newsletters'
import { Success } from './Success'
import styles from './SubscribeForm.module.css'
import { useSent } from './use-sent'

const FIELDS = ['email', 'promotional'] as const
const BLANK = { email: 'Enter your email.' }

/** Subscribes to a newsletter: a guest with an address, a reader with a click. */
export default function SubscribeForm({ newsletter }: { newsletter: Newsletter }) {
  const session = useSession()
  if (session.status === 'checking') return null
  return session.status === 'member' ? (
    <ForReader newsletter={newsletter} />
  ) : (
    <ForGuest newsletter={newsletter} />
  )
}

function ForGuest({ newsletter }: { newsletter: Newsletter }) {
  const promotions = useNewsletter(PROMOTIONS)
  const subscribe = useSubscribe()
  const stage = useSent(subscribe.isSuccess)
  if (stage === 'sent') return <Success />
  return (
    <Form
      className={`${styles.form} ${stage === 'leaving' ? styles.leaving : ''}`}
      fields={FIELDS}
      error={subscribe.error}
      blank={BLANK}
      needsEmail
      isBusy={subscribe.isPending || stage === 'leaving'}
      onSend={({ email, promotional }) =>
        subscribe.mutate({
          email,
          type: newsletter.kind,
          ...(promotional && { promotional: true }),
        })
      }
    >
      <div className={styles.line}>
        <EmailField label="Send it to" placeholder="you@example.com" />
        <Submit>Subscribe</Submit>
      </div>
      <p className={styles.consent}>{newsletter.consent}</p>
      {promotions && newsletter.kind !== PROMOTIONS && (
        <div className={styles.more}>
          <CheckField name="promotional" label={promotions.consent} />
        </div>
      )}
    </Form>
  )
}

function ForReader({ newsletter }: { newsletter: Newsletter }) {
  const me = useQuery(meOptions())
  const change = useChangeNewsletters()
  const settings = me.data?.newsletter_settings
  if (!settings) return null
  const choose = <SiteLink href="/accounts/dashboard#/newsletter/">Your newsletters</SiteLink>
  if (isOn(settings, newsletter.kind)) {
    return (
      <div className={styles.reader}>
        <p>You get {newsletter.title}.</p>
        <p>{choose}</p>
      </div>
    )
  }
  return (
    <div className={styles.reader}>
      <Button
        isBusy={change.isPending}
        onClick={() =>
          change.mutate(
            { [newsletter.kind]: true },
            { onSuccess: () => announce(`You get ${newsletter.title} from now on.`) },
          )
        }
      >
        Subscribe
      </Button>
      <p className={styles.consent}>{newsletter.consent}</p>
      <Failure error={change.error} />
      <p>{choose}</p>
    </div>
  )
}
