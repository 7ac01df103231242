import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSite } from '#/features/site/site'
import { useMinute } from '#/lib/use-minute'
import { whenIdle } from '#/lib/when-idle'
import { SiteLink } from '#/ui/SiteLink'
import { factsOf, nextEvent } from './evening'
import { tonightOptions } from './queries'
import styles from './TonightLine.module.css'

/**
 * The next event and the facts of the evening, linked to its page. They are added when the page has loaded, as far as
 * they fit on the line.
 */
export function TonightLine() {
  const { timezone } = useSite()
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  const { data: tonight } = useQuery({ ...tonightOptions(), enabled: isIdle })
  const now = useMinute()
  const next = tonight && nextEvent(tonight, timezone, now)
  const facts = tonight ? [next, ...factsOf(tonight, timezone)].filter(Boolean) : []
  return (
    <p className={styles.line}>
      <SiteLink href="/tonight/">
        <b>Tonight</b>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </SiteLink>
    </p>
  )
}
