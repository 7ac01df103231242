import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { EventGrid } from '#/features/events/EventGrid'
import { PageTitle } from '#/features/site/PageTitle'

export function EventsPage() {
  return (
    <AdPage about={{ page: 'events' }}>
      <PageTitle page="Events" />
      <EventGrid />
      <AdSpot at="end" />
    </AdPage>
  )
}
