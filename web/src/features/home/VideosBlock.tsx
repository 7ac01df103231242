import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { videoRowOptions } from '#/features/videos/queries'
import { VideoCard } from '#/features/videos/VideoCard'
import { online } from '#/lib/online'
import { SMALL, useMediaQuery } from '#/lib/use-media-query'
import { Skeleton } from '#/ui/Skeleton'
import { BlockSection, type BlockProps } from './BlockSection'
import styles from './Blocks.module.css'

const Carousel = lazy(online(() => import('#/ui/Carousel')))

const FOUR = 4

/**
 * What can be watched: rows of four, or of three where fours would leave a gap; on small screens one
 * large still after the other.
 */
export function VideosBlock({ block }: BlockProps) {
  const row = useQuery(videoRowOptions(block.limit))
  const isSmall = useMediaQuery(SMALL)
  // A row that fails or is empty leaves the front page shorter; its own page offers another try.
  if (row.isError || row.data?.length === 0) return null
  const videos = row.data ?? []
  const isCarousel = isSmall && videos.length > 1
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? (
        <VideosSkeleton isSmall={isSmall} />
      ) : isCarousel ? (
        <Suspense fallback={<VideosSkeleton isSmall />}>
          <Carousel
            label={block.title ?? 'Videos'}
            slides={videos.map((video) => ({
              key: video.id,
              content: <VideoCard video={video} />,
            }))}
          />
        </Suspense>
      ) : (
        <ul className={videos.length % FOUR === 0 ? styles.fours : styles.threes}>
          {videos.map((video) => (
            <li key={video.id}>
              <VideoCard video={video} />
            </li>
          ))}
        </ul>
      )}
    </BlockSection>
  )
}

/** As high as what comes: a still, its name and the carousel's buttons. */
function VideosSkeleton({ isSmall }: { isSmall: boolean }) {
  if (!isSmall) return <Skeleton height="14rem" />
  return (
    <div className={styles.coming}>
      <Skeleton ratio="3 / 2" />
    </div>
  )
}
