import type { Access } from '#/api/types'
import { useSite } from '#/features/site/site'
import { formatDate, parseInstant } from '#/lib/time'
import { dayIn } from '#/lib/zone'
import styles from './AccessList.module.css'

/** Everything that gives access to an account, for the owner of its address. */
export function AccessList({ access }: { access: Access }) {
  const { timezone } = useSite()
  return (
    <ul className={styles.list}>
      {access.has_password && <li>A password</li>}
      {access.passkeys.map(({ id, name, date_created: created }) => (
        <li key={id}>
          A passkey on {name}
          {created && `, created on ${formatDate(dayIn(timezone, parseInstant(created)))}`}
        </li>
      ))}
      {access.has_facebook && <li>A Facebook account</li>}
      {access.has_calendar && <li>A Google calendar, to which saved events are added</li>}
      {access.has_calendar_feed && <li>A private address for a calendar of saved events</li>}
    </ul>
  )
}
