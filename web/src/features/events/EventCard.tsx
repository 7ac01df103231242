import type { ReactNode } from 'react'
import type { Event } from '#/api/types'
import { SaveButton } from '#/features/saved/SaveButton'
import { useSite } from '#/features/site/site'
import { Card, type CardProps } from '#/ui/Card'
import { Picture } from '#/ui/Picture'
import { DateBlock } from './DateBlock'
import styles from './EventCard.module.css'
import { priceOf } from './words'

interface Props extends Pick<CardProps, 'look' | 'heading' | 'action' | 'deck' | 'kicker'> {
  event: Event
  /** The time, which replaces the picture, for a list by day. */
  when?: ReactNode
  isFirst?: boolean
}

/** A card with the event's day; an index line shows the day or time instead of the picture. */
export function EventCard({ event, when, isFirst = false, ...rest }: Props) {
  const site = useSite()
  const meta = [when ? '' : event.start_time, event.venue, priceOf(event)]
    .filter(Boolean)
    .join('\u00a0· ')
  return (
    <Card
      name={event.name}
      href={event.share_url}
      picture={
        when ??
        (rest.look === 'line' ? (
          <DateBlock event={event} look="line" />
        ) : (
          <div className={styles.frame}>
            <EventPicture event={event} isFirst={isFirst} />
            <div className={styles.date}>
              <DateBlock event={event} />
            </div>
          </div>
        ))
      }
      kicker={event.category_name}
      note={event.is_age_restricted ? `${site.legal_age}+` : undefined}
      deck={event.excerpt}
      meta={meta}
      action={<SaveButton kind="event-bookmark" objectId={event.id} name={event.name} />}
      {...rest}
    />
  )
}

export function EventPicture({ event, isFirst = false }: { event: Event; isFirst?: boolean }) {
  return <Picture id={event.id} name={event.name} source={event.image_url} isFirst={isFirst} />
}
