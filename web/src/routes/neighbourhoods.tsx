import { grouped } from '#/lib/words'
import { useQuery } from '@tanstack/react-query'
import { NeighbourhoodIndex } from '#/features/listings/NeighbourhoodIndex'
import { neighbourhoodsOptions } from '#/features/listings/queries'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { Loaded } from '#/ui/Loaded'
import { Notice } from '#/ui/Notice'
import { PageHead } from '#/ui/PageHead'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'

export function NeighbourhoodsPage() {
  const site = useSite()
  const list = useQuery(neighbourhoodsOptions())
  return (
    <>
      <PageTitle page="Neighbourhoods" />
      <PageHead
        title="Neighbourhoods"
        deck={
          list.data?.length
            ? `${grouped(list.data.length)} neighbourhoods of ${site.city}, from A to Z.`
            : ''
        }
      />
      <Loaded query={list} skeleton={<NamesSkeleton />}>
        {(neighbourhoods) =>
          neighbourhoods.length === 0 ? (
            <Notice isEmpty title="No neighbourhoods yet">
              <p>The neighbourhoods of {site.city} have not been added yet. Check back soon.</p>
            </Notice>
          ) : (
            <NeighbourhoodIndex neighbourhoods={neighbourhoods} />
          )
        }
      </Loaded>
    </>
  )
}

function NamesSkeleton() {
  return (
    <Placeholder what="neighbourhoods">
      {Array.from({ length: 9 }, (_, index) => (
        <p key={index}>
          <Skeleton width={`${40 + ((index * 17) % 30)}%`} height="2rem" />
        </p>
      ))}
    </Placeholder>
  )
}
