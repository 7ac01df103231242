import { ContestCard } from '#/features/contests/ContestCard'
import { CONTESTS, ORDERINGS } from '#/features/contests/queries'
import { SortedGrid } from '#/features/grid/SortedGrid'
import { useSite } from '#/features/site/site'
import { useDocumentTitle } from '#/lib/document-title'

export function ContestsPage() {
  const site = useSite()
  useDocumentTitle('Contests', site.name)
  return (
    <SortedGrid
      title="Contests"
      unit={['contest', 'contests']}
      path={CONTESTS}
      orderings={ORDERINGS}
    >
      {(contest, index) => <ContestCard contest={contest} isFirst={index < 2} />}
    </SortedGrid>
  )
}
