import { useSite } from './site'
import styles from './Dateline.module.css'

/** The city, the day there, and what the site says of itself: the line above a front page. */
export function Dateline() {
  const site = useSite()
  return (
    <div className={styles.line}>
      <p>
        <b>{site.city}</b>
        <span>{today(site.timezone)}</span>
      </p>
      <p className={styles.tagline}>{site.tagline}</p>
    </div>
  )
}

function today(timeZone: string): string {
  const format = { weekday: 'long', day: 'numeric', month: 'long' } as const
  try {
    return new Intl.DateTimeFormat(undefined, { ...format, timeZone }).format(Date.now())
  } catch {
    return new Intl.DateTimeFormat(undefined, format).format(Date.now())
  }
}
