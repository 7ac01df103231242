import { useEffect, useLayoutEffect, useRef } from 'react'
import { useSite } from '#/features/site/site'
import { announce } from '#/ui/Announcer'
import { SiteLink } from '#/ui/SiteLink'
import { ConsentButtons } from './ConsentButtons'
import styles from './ConsentBanner.module.css'

/**
 * Asks whether pages may load content of other companies. It floats at the bottom of the window, above the page and
 * below dialogs, and blocks nothing. It precedes the bar in the document, so that the keyboard reaches it first.
 */
export default function ConsentBanner() {
  const { consent } = useSite()
  const banner = useRef<HTMLElement>(null)

  useEffect(() => announce(`A question about other companies: ${consent.wording}`), [consent])

  useLayoutEffect(() => {
    const shown = banner.current
    return () => {
      // The focus moves on when the banner is removed.
      if (!shown?.contains(document.activeElement)) return
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    }
  }, [])

  return (
    <section
      className={styles.banner}
      aria-label="Content of other companies"
      data-consent=""
      ref={banner}
    >
      <div className={styles.inner}>
        <p className={styles.text}>
          {consent.wording} None of it loads unless you accept. Change your answer under{' '}
          <SiteLink href="/privacy/">Privacy</SiteLink>.
        </p>
        <ConsentButtons />
      </div>
    </section>
  )
}
