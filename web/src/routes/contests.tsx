import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { ContestCard } from '#/features/contests/ContestCard'
import { CONTESTS, ORDERINGS } from '#/features/contests/queries'
import { SortedGrid } from '#/features/grid/SortedGrid'
import { PageTitle } from '#/features/site/PageTitle'

export function ContestsPage() {
  return (
    <AdPage about={{ page: 'contests' }}>
      <PageTitle page="Contests" />
      <SortedGrid
        title="Contests"
        unit={['contest', 'contests']}
        path={CONTESTS}
        orderings={ORDERINGS}
      >
        {(contest, index) => <ContestCard contest={contest} isFirst={index < 2} />}
      </SortedGrid>
      <AdSpot at="end" />
    </AdPage>
  )
}
