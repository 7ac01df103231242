import { ContestCard } from '#/features/contests/ContestCard'
import { CONTESTS, ORDERINGS } from '#/features/contests/queries'
import { SortedGrid } from '#/features/grid/SortedGrid'
import { PageTitle } from '#/features/site/PageTitle'

export function ContestsPage() {
  return (
    <>
      <PageTitle page="Contests" />
      <SortedGrid
        title="Contests"
        unit={['contest', 'contests']}
        path={CONTESTS}
        orderings={ORDERINGS}
      >
        {(contest, index) => <ContestCard contest={contest} isFirst={index < 2} />}
      </SortedGrid>
    </>
  )
}
