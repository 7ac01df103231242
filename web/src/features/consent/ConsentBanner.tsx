import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useSite } from '#/features/site/site'
import { announce } from '#/ui/Announcer'
import { SiteLink } from '#/ui/SiteLink'
import { ConsentButtons } from './ConsentButtons'
import styles from './ConsentBanner.module.css'

/**
 * Asks whether pages may load content of other companies: a strip at the bottom of the window, above the page and
 * below dialogs, which blocks nothing. It precedes the bar in the document, so that the keyboard reaches it first. On
 * a small screen the strip has a line of text, and a button that shows the whole wording.
 */
export default function ConsentBanner() {
  const { consent } = useSite()
  const banner = useRef<HTMLElement>(null)
  const details = useId()
  const [isOpen, setOpen] = useState(false)

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
        <div className={styles.text}>
          <p className={styles.short}>
            Load content from other companies?
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={details}
              onClick={() => setOpen(!isOpen)}
            >
              Details
            </button>
          </p>
          <p className={styles.wording} id={details} data-open={isOpen || undefined}>
            {consent.wording} None of it loads unless you accept. Change your answer under{' '}
            <SiteLink href="/privacy/">Privacy</SiteLink>.
          </p>
        </div>
        <ConsentButtons />
      </div>
    </section>
  )
}
