import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { NeighbourhoodPortrait } from '#/api/types'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { ArticleShelf } from '#/features/articles/ArticleShelf'
import { EventLines } from '#/features/events/Diary'
import { FilteredPlaces } from '#/features/listings/FilteredPlaces'
import { GridSkeleton } from '#/features/grid/Grid'
import { Shelf } from '#/features/grid/Shelf'
import { NeighbourhoodMap } from '#/features/listings/NeighbourhoodMap'
import { PlaceWithControls } from '#/features/listings/PlaceWithControls'
import { DEFAULT_ORDERING, listingPagesOptions, portraitOptions } from '#/features/listings/queries'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { PageTitle } from '#/features/site/PageTitle'
import { lastSlug } from '#/lib/share-path'
import { Html } from '#/ui/Html'
import { Loading } from '#/ui/Loading'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import styles from './neighbourhood.module.css'

export function prefetch(client: QueryClient, { path }: ResolvedPageProps): Promise<unknown> {
  const slug = lastSlug(path)
  const first = listingPagesOptions({ ordering: DEFAULT_ORDERING, neighbourhood: slug })
  return Promise.all([client.query(portraitOptions(slug)), client.infiniteQuery(first)])
}

export function NeighbourhoodPage({ path }: ResolvedPageProps) {
  const slug = lastSlug(path)
  const portrait = useQuery(portraitOptions(slug))
  const name = portrait.data?.name
  const fixed = useMemo(() => ({ neighbourhood: slug }), [slug])

  if (portrait.isPending) {
    return (
      <Loading>
        <GridSkeleton what="places" />
      </Loading>
    )
  }
  return (
    <AdPage about={{ page: 'neighbourhood', neighbourhood: slug }}>
      <PageTitle page={name} />
      <FilteredPlaces
        title={name ?? 'Neighbourhood'}
        kicker={<SiteLink href="/neighbourhoods/">Neighbourhoods</SiteLink>}
        fixed={fixed}
        above={portrait.data && <Portrait portrait={portrait.data} />}
        placesAbove={portrait.data?.best}
      />
      <AdSpot at="end" />
    </AdPage>
  )
}

/** The text and the map, the best places, tonight's events and the stories, above the grid of all places. */
function Portrait({ portrait }: { portrait: NeighbourhoodPortrait }) {
  const { name, slug, intro, best, events, articles } = portrait
  return (
    <>
      <div className={styles.portrait}>
        {intro && <Html className={styles.intro} html={intro} />}
        <NeighbourhoodMap name={name} slug={slug} count={portrait.count} />
      </div>
      {best.length > 0 && (
        <section className={styles.section}>
          <SectionHeading>The best of {name}</SectionHeading>
          <Shelf isOfThree>
            {best.map((place) => (
              <li key={place.id}>
                <PlaceWithControls place={place} />
              </li>
            ))}
          </Shelf>
        </section>
      )}
      {events.length > 0 && (
        <section className={styles.section}>
          <SectionHeading>Tonight in {name}</SectionHeading>
          <div className={styles.events}>
            <EventLines events={events} />
          </div>
        </section>
      )}
      {articles.length > 0 && (
        <div className={styles.section}>
          <ArticleShelf title={`Stories from ${name}`} articles={articles} />
        </div>
      )}
      <div className={styles.section}>
        <SectionHeading>All places</SectionHeading>
      </div>
    </>
  )
}
