import { Suspense, useEffect, useState } from 'react'
import { optionalComponent } from '#/lib/online'
import { whenIdle } from '#/lib/when-idle'
import { SiteLink } from '#/ui/SiteLink'
import styles from './TonightLine.module.css'

const Facts = optionalComponent(
  () => import('./TonightFacts'),
  () => null,
)

/**
 * A link to the page of the evening. The next event and the facts of the evening are added when the page has loaded, as
 * far as they fit on the line.
 */
export function TonightLine() {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  return (
    <p className={styles.line}>
      <SiteLink href="/tonight/">
        <b>Tonight</b>
        {isIdle && (
          <Suspense>
            <Facts />
          </Suspense>
        )}
      </SiteLink>
    </p>
  )
}
