import type { Event } from '#/api/types'
import { EventCard } from './EventCard'
import styles from './Diary.module.css'

/** Events by day, each with its time. */
export function Diary({ events }: { events: readonly Event[] }) {
  return byDay(events).map(([day, ofDay]) => (
    <section key={day} className={styles.day}>
      <h2 className={styles.heading}>{day}</h2>
      <EventLines events={ofDay} />
    </section>
  ))
}

/** Events with their times, without pictures. */
export function EventLines({ events }: { events: readonly Event[] }) {
  return (
    <ul className={styles.events}>
      {events.map((event) => (
        <li key={event.id}>
          <EventCard event={event} look="line" kicker={undefined} when={<Time event={event} />} />
        </li>
      ))}
    </ul>
  )
}

function Time({ event }: { event: Event }) {
  return (
    <p className={styles.time}>
      {event.diary_weekday && <span>{event.diary_weekday} </span>}
      <time dateTime={event.starts_at ?? undefined}>{event.start_time}</time>
    </p>
  )
}

/** Consecutive events with the same heading. */
function byDay(events: readonly Event[]): [string, Event[]][] {
  const days: [string, Event[]][] = []
  for (const event of events) {
    const day = event.diary_day ?? ''
    const last = days.at(-1)
    if (last?.[0] === day) last[1].push(event)
    else days.push([day, [event]])
  }
  return days
}
