import { Suspense, useId, useRef } from 'react'
import type { Newsletter } from '#/api/types'
import { optionalPart } from '#/lib/online'
import { useIsNear } from '#/lib/use-is-near'
import { useNewsletter, type NewsletterKind } from './newsletters'
import styles from './NewsletterPanel.module.css'
import { useOwnForm } from './own-form'

const SubscribeForm = optionalPart(() => import('./SubscribeForm'), FormFailed)

function FormFailed() {
  return <p role="alert">The form did not load. Reload the page to subscribe.</p>
}

/** "Daily newsletter", or just "Newsletter" without a set schedule. */
function kickerOf({ schedule }: Newsletter): string {
  return /^\w+$/.test(schedule) ? `${schedule} newsletter` : 'Newsletter'
}

interface Props {
  type: NewsletterKind
  /** Where it stands: at the end of a page, in the footer, or in the side menu. */
  look?: 'page' | 'footer' | 'menu'
}

/**
 * A newsletter and the form that subscribes to it, whose code is fetched when the reader scrolls near. Contests need no
 * heading: they stand on their own pages (spec, section 2).
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
  // The footer and the menu are landmarks already, and a page may have the same newsletter.
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
