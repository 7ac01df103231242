import { useQuery } from '@tanstack/react-query'
import type { Newsletter, Profile } from '#/api/types'
import { EmailState } from '#/features/account/EmailState'
import { meOptions } from '#/features/session/queries'
import { useSite } from '#/features/site/site'
import { Loading } from '#/ui/Loading'
import { Placeholder } from '#/ui/Placeholder'
import { Retry } from '#/ui/Retry'
import { Skeleton } from '#/ui/Skeleton'
import { useChangeNewsletters } from './mutations'
import { isOn } from './newsletters'
import { NewsletterItem, NewsletterList } from './NewsletterItem'
import styles from './NewsletterSettings.module.css'

/** The newsletters of a signed-in reader, each with its switch. */
export function NewsletterSettings() {
  const me = useQuery(meOptions())
  if (me.isPending) {
    return (
      <Loading>
        <NewslettersSkeleton />
      </Loading>
    )
  }
  if (!me.data?.newsletter_settings) {
    return <Retry title="Your newsletters did not load" onRetry={() => void me.refetch()} />
  }
  return (
    <>
      {!me.data.email_verified && <Unconfirmed me={me.data} />}
      <Switches settings={me.data.newsletter_settings} />
    </>
  )
}

export function NewslettersSkeleton() {
  return (
    <Placeholder what="your newsletters">
      <Skeleton height="24rem" />
    </Placeholder>
  )
}

function Unconfirmed({ me }: { me: Profile }) {
  return (
    <div className={styles.unconfirmed}>
      <p>We’ll email you at {me.email} once you’ve confirmed this address.</p>
      <EmailState me={me} />
    </div>
  )
}

type Settings = NonNullable<Profile['newsletter_settings']>

function Switches({ settings }: { settings: Settings }) {
  const site = useSite()
  const change = useChangeNewsletters()
  return (
    <NewsletterList>
      {site.newsletters.map((newsletter) => (
        <li key={newsletter.kind}>
          <Switch
            newsletter={newsletter}
            isChecked={isOn(settings, newsletter.kind)}
            onChange={(isOn) => change.mutate({ [newsletter.kind]: isOn })}
          />
        </li>
      ))}
    </NewsletterList>
  )
}

interface SwitchProps {
  newsletter: Newsletter
  isChecked: boolean
  onChange: (isOn: boolean) => void
}

function Switch({ newsletter, isChecked, onChange }: SwitchProps) {
  return (
    <label className={styles.row}>
      <NewsletterItem newsletter={newsletter} />
      <input
        className={styles.switch}
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- `checked` says it
        role="switch"
        checked={isChecked}
        aria-label={newsletter.title}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  )
}
