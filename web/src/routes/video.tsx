import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { Video } from '#/api/types'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { AgeGated } from '#/features/age-gate/AgeGated'
import { ItemText } from '#/features/pages/ItemText'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { Duration } from '#/features/videos/Duration'
import { SaveButton } from '#/features/saved/SaveButton'
import { MoreVideos } from '#/features/videos/MoreVideos'
import { Poster } from '#/features/videos/Poster'
import { gatedVideoOptions, videoOptions } from '#/features/videos/queries'
import { PageTitle } from '#/features/site/PageTitle'
import { Detail, DetailSkeleton } from '#/ui/Detail'
import { Fact, Facts } from '#/ui/Facts'
import { ShareLinks } from '#/ui/ShareLinks'
import { SiteLink } from '#/ui/SiteLink'
import { LoadedPage } from './LoadedPage'
import styles from './video.module.css'

export function prefetch(client: QueryClient, { id }: ResolvedPageProps): Promise<unknown> {
  return client.query(videoOptions(id))
}

export function VideoPage({ id }: ResolvedPageProps) {
  const video = useQuery(videoOptions(id))
  return (
    <LoadedPage query={video} skeleton={<DetailSkeleton what="the video" />}>
      {(loaded) => (
        <AgeGated
          item={loaded}
          isRestricted={loaded.is_age_restricted}
          whole={(headers) => gatedVideoOptions(id, headers)}
        >
          {(item) => <Ready video={item} />}
        </AgeGated>
      )}
    </LoadedPage>
  )
}

function Ready({ video }: { video: Video }) {
  const day = video.published_on
  const about = { page: 'video', tags: video.tags.map((tag) => tag.slug) } as const
  return (
    <AdPage about={video.is_age_restricted ? null : about}>
      <PageTitle page={video.name} />
      <Detail
        name={video.name}
        kicker={<SiteLink href="/videos/">Videos</SiteLink>}
        deck={video.excerpt || undefined}
        share={<ShareLinks path={video.share_url} title={video.name} />}
        picture={<Poster video={video} />}
        side={
          <aside aria-label="About this video">
            <Facts>
              {video.duration_seconds > 0 && (
                <Fact name="Length">
                  <Duration video={video} />
                </Fact>
              )}
              {video.authors.length > 0 && (
                <Fact name="By">{video.authors.map((author) => author.name).join(', ')}</Fact>
              )}
              {day && (
                <Fact name="Published">
                  <time dateTime={video.date_published ?? undefined}>{day}</time>
                </Fact>
              )}
            </Facts>
            <div className={styles.control}>
              <SaveButton
                kind="video-bookmark"
                objectId={video.id}
                name={video.name}
                look="labelled"
              />
            </div>
          </aside>
        }
      >
        <ItemText item={video} />
      </Detail>
      <AdSpot at="lead" />
      <div className={styles.after}>
        <MoreVideos video={video} />
      </div>
      <AdSpot at="end" />
    </AdPage>
  )
}
