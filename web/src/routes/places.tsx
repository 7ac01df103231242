import { FilteredPlaces } from '#/features/listings/FilteredPlaces'
import { useSite } from '#/features/site/site'
import { useDocumentTitle } from '#/lib/document-title'

const FIXED = {}

export function PlacesPage() {
  const site = useSite()
  useDocumentTitle('Places', site.name)
  return <FilteredPlaces title={`Places in ${site.city}`} fixed={FIXED} />
}
