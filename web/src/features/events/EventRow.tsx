import type { Event } from '#/api/types'
import { SectionHeading } from '#/ui/SectionHeading'
import { Diary } from './Diary'

/** Events by day; nothing without events. */
export function EventRow({ title, events }: { title: string; events: readonly Event[] }) {
  if (events.length === 0) return null
  return (
    <section>
      <SectionHeading>{title}</SectionHeading>
      <Diary events={events} />
    </section>
  )
}
