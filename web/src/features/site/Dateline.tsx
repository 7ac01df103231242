import { LANGUAGE } from '#/lib/words'
import { TonightLine } from '#/features/tonight/TonightLine'
import { useHasSection, useSite } from './site'
import styles from './Dateline.module.css'

/** The line above the front page: the city, its date and the tagline. */
export function Dateline() {
  const site = useSite()
  return (
    <div className={styles.line}>
      <p>
        <b>{site.city}</b>
        <span>{today(site.timezone)}</span>
      </p>
      <p className={styles.tagline}>{site.tagline}</p>
      {useHasSection('listings') && <TonightLine />}
    </div>
  )
}

function today(timeZone: string): string {
  const format = { weekday: 'long', day: 'numeric', month: 'long' } as const
  try {
    return new Intl.DateTimeFormat(LANGUAGE, { ...format, timeZone }).format(Date.now())
  } catch {
    return new Intl.DateTimeFormat(LANGUAGE, format).format(Date.now())
  }
}
