import { ArchiveGrid } from '#/features/articles/ArchiveGrid'
import { archiveFilter, ARCHIVE_FILTERS } from '#/features/articles/archive-address'
import { ArchiveMonths } from '#/features/articles/ArchiveMonths'
import { useAddressQuery } from '#/lib/use-address-query'

/** The months, or the articles that the address narrows down to. */
export function ArchivesPage() {
  const { values } = useAddressQuery(ARCHIVE_FILTERS)
  const filter = archiveFilter(values)
  return Object.keys(filter).length > 0 ? <ArchiveGrid filter={filter} /> : <ArchiveMonths />
}
