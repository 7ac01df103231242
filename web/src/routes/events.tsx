import { EventGrid } from '#/features/events/EventGrid'
import { PageTitle } from '#/features/site/PageTitle'

export function EventsPage() {
  return (
    <>
      <PageTitle page="Events" />
      <EventGrid />
    </>
  )
}
