import { useQuery, type QueryClient } from '@tanstack/react-query'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { bestOfListOptions } from '#/features/best-of/queries'
import { Ranking, RankingMap } from '#/features/best-of/Ranking'
import { RankingSkeleton } from '#/features/best-of/RankingSkeleton'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { lastSlug } from '#/lib/share-path'
import { Headline } from '#/ui/Headline'
import { Html } from '#/ui/Html'
import { ShareLinks } from '#/ui/ShareLinks'
import { SiteLink } from '#/ui/SiteLink'
import styles from './best-of-list.module.css'
import { LoadedPage } from './LoadedPage'

export function prefetch(client: QueryClient, { path }: ResolvedPageProps): Promise<unknown> {
  return client.query(bestOfListOptions(lastSlug(path)))
}

export function BestOfListPage({ path }: ResolvedPageProps) {
  const site = useSite()
  const list = useQuery(bestOfListOptions(lastSlug(path)))

  return (
    <AdPage about={{ page: 'best-of-list', tags: [lastSlug(path)] }}>
      <PageTitle page={list.data?.name} />
      <LoadedPage query={list} skeleton={<RankingSkeleton />}>
        {({ name, share_url, intro, published_on, entries }) => (
          <article>
            <header className={styles.head}>
              <Headline
                name={name}
                kicker={<SiteLink href={`/${site.city_slug}/`}>Best of {site.city}</SiteLink>}
              />
              {published_on && <p className={styles.date}>{published_on}</p>}
              {intro && <Html className={styles.intro} html={intro} />}
            </header>
            <div className={styles.columns}>
              <Ranking entries={entries} />
              <div className={styles.side}>
                <RankingMap name={name} entries={entries} />
              </div>
            </div>
            <ShareLinks path={share_url} title={name} />
          </article>
        )}
      </LoadedPage>
      <AdSpot at="end" />
    </AdPage>
  )
}
