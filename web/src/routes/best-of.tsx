import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { BestOfCard } from '#/features/best-of/BestOfCard'
import { Opening } from '#/features/grid/Opening'
import { SortedGrid } from '#/features/grid/SortedGrid'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'

const ORDERINGS = [
  { value: '-date_published', label: 'Newest first' },
  { value: 'date_published', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
] as const

export function BestOfPage() {
  const site = useSite()
  const title = `The best of ${site.city}`

  return (
    <AdPage about={{ page: 'best-of' }}>
      <PageTitle page={title} />
      <SortedGrid
        title={title}
        kicker="Best of"
        unit={['list', 'lists']}
        path="/api/v2/best-of-lists/"
        orderings={ORDERINGS}
        lead={(list) => (
          <Opening>
            <BestOfCard list={list} look="lead" isFirst />
          </Opening>
        )}
      >
        {(list) => <BestOfCard list={list} />}
      </SortedGrid>
      <AdSpot at="end" />
    </AdPage>
  )
}
