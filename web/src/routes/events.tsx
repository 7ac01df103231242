import { EventGrid } from '#/features/events/EventGrid'
import { useSite } from '#/features/site/site'
import { useDocumentTitle } from '#/lib/document-title'

export function EventsPage() {
  const site = useSite()
  useDocumentTitle('Events', site.name)
  return <EventGrid />
}
