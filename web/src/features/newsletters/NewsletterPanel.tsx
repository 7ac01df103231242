import { Suspense, useId, useRef } from 'react'
import type { Newsletter } from '#/api/types'
import { optionalComponent } from '#/lib/online'
import { useIsNear } from '#/lib/use-is-near'
import { useNewsletter, type NewsletterKind } from './newsletters'
import styles from './NewsletterPanel.module.css'
import { useOwnForm } from './own-form'

const SubscribeForm = optionalComponent(() => import('./SubscribeForm'), FormFailed)

function FormFailed() {
  return <p role="alert">The form did not load. Reload the page to subscribe.</p>
}

/** "Daily newsletter", or just "Newsletter" without a set schedule. */
function kickerOf({ schedule }: Newsletter): string {
  return /^\w+$/.test(schedule) ? `${schedule} newsletter` : 'Newsletter'
}

interface Props {
  type: NewsletterKind
  /** The panel's position: at the end of a page, in the footer, or in the side menu. */
  look?: 'page' | 'footer' | 'menu'
}

/**
 * A newsletter with the form that subscribes to it. The form's code is fetched when the reader scrolls near it. The
 * newsletter of contests has no heading, since it appears on the pages of contests.
 */
export function NewsletterPanel({ type, look = 'page' }: Props) {
  const newsletter = useNewsletter(type)
  const room = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(room)
  const heading = useId()
  useOwnForm(newsletter !== undefined && look === 'page')
  if (!newsletter) return null
  const hasHeading = type !== 'contests'
  const content = (
    <>
      <div>
        <p className={styles.kicker}>{kickerOf(newsletter)}</p>
        {hasHeading && (
          <h2 className={styles.title} id={heading}>
            {newsletter.title}
          </h2>
        )}
        <p className={styles.text}>{newsletter.description}</p>
      </div>
      <Suspense>{isNear && <SubscribeForm newsletter={newsletter} />}</Suspense>
    </>
  )
  const classes = `${styles.panel} ${styles[look]}`
  // The footer and the menu are landmarks already, and the page may have the same newsletter.
  if (look !== 'page') {
    return (
      <div className={classes} ref={room}>
        {content}
      </div>
    )
  }
  const name = hasHeading ? { 'aria-labelledby': heading } : { 'aria-label': newsletter.title }
  return (
    <section className={classes} ref={room} {...name}>
      {content}
    </section>
  )
}
