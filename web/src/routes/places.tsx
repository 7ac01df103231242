import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { FilteredPlaces } from '#/features/listings/FilteredPlaces'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'

const FIXED = {}

export function PlacesPage() {
  const site = useSite()

  return (
    <AdPage about={{ page: 'places' }}>
      <PageTitle page="Places" />
      <FilteredPlaces title={`Places in ${site.city}`} fixed={FIXED} />
      <AdSpot at="end" />
    </AdPage>
  )
}
