import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { ArchiveGrid } from '#/features/articles/ArchiveGrid'
import { archiveFilter } from '#/features/articles/archive-address'
import { ARCHIVE_FILTERS } from '#/features/articles/archive-filters'
import { ArchiveMonths } from '#/features/articles/ArchiveMonths'
import { useAddressQuery } from '#/lib/use-address-query'

const NAMES = [...ARCHIVE_FILTERS, 'keywords'] as const

/** All months, or the articles that match the address's filters. */
export function ArchivesPage() {
  const { values } = useAddressQuery(NAMES)
  const filter = archiveFilter(values)
  const isNarrowed = Object.keys(filter).length > 0 || values.keywords !== undefined
  return (
    <AdPage about={{ page: 'archives' }}>
      {isNarrowed ? <ArchiveGrid filter={filter} /> : <ArchiveMonths />}
      <AdSpot at="end" />
    </AdPage>
  )
}
