import type { ReactNode } from 'react'
import type { Event } from '#/api/types'
import buttons from '#/ui/Button.module.css'
import { Fact, Facts } from '#/ui/Facts'
import { CalendarIcon } from '#/ui/icons'
import { SiteLink } from '#/ui/SiteLink'
import styles from './EventFacts.module.css'
import { calendarAddress } from './queries'
import { zoneNote } from './when'
import { priceOf } from './words'

/** Maximum number of further dates. */
const LISTED = 5

interface Props {
  event: Event
  /** The site's zone, which the hours are in. */
  zone: string
  /** The link to the event's neighbourhood, from the page. */
  neighbourhood?: ReactNode
  /** The save button, from the page. */
  control?: ReactNode
}

/** Date, venue, price, the save button and the calendar download. */
export function EventFacts({ event, zone, neighbourhood, control }: Props) {
  const price = priceOf(event)
  return (
    <aside aria-label="About this event">
      <Facts>
        <Fact name="When">
          <time dateTime={event.starts_at ?? undefined}>
            <span className={styles.day}>{event.days}</span>
            <span className={styles.line}>
              {event.hours}
              <ZoneNote event={event} zone={zone} />
            </span>
          </time>
        </Fact>
        <Later event={event} />
        {event.venue && (
          <Fact name="Venue">
            {event.listing ? (
              <SiteLink href={event.listing.share_url}>{event.venue}</SiteLink>
            ) : (
              event.venue
            )}
          </Fact>
        )}
        {event.address && <Fact name="Address">{event.address}</Fact>}
        {neighbourhood && <Fact name="Neighbourhood">{neighbourhood}</Fact>}
        {price && <Fact name="Price">{price}</Fact>}
        {event.website && event.website_host && (
          <Fact name="Website">
            <a href={event.website} rel="noopener nofollow" target="_blank">
              {event.website_host}
            </a>
          </Fact>
        )}
      </Facts>
      {control && <div className={styles.control}>{control}</div>}
      <a
        className={`${buttons.button} ${buttons.solid} ${styles.calendar}`}
        href={calendarAddress(event.id)}
        download
      >
        <CalendarIcon />
        Add to calendar
      </a>
    </aside>
  )
}

/** The name of the zone, if the reader's clock shows another time. */
function ZoneNote({ event, zone }: { event: Event; zone: string }) {
  const note = event.is_all_day ? '' : zoneNote(event.starts_at, zone)
  return note && <span>{` ${note}`}</span>
}

/** Further dates of a recurring event. */
function Later({ event }: { event: Event }) {
  const often = event.repeats
  const later = (event.occurrences ?? [])
    .filter((one) => one.starts_at !== event.starts_at)
    .slice(0, LISTED)
  if (!often && later.length === 0) return null
  return (
    <Fact name={often ? 'Repeats' : 'Then'}>
      {often}
      {later.length > 0 && (
        <ul className={styles.later}>
          {later.map((one) => (
            <li key={one.starts_at}>
              <time dateTime={one.starts_at ?? undefined}>{one.days}</time>
            </li>
          ))}
        </ul>
      )}
    </Fact>
  )
}
