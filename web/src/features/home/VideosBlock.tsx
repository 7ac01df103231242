import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef } from 'react'
import type { Video } from '#/api/types'
import { videoRowOptions } from '#/features/videos/queries'
import { VideoCard } from '#/features/videos/VideoCard'
import { online } from '#/lib/online'
import { useIsNear } from '#/lib/use-is-near'
import { upTo } from '#/lib/breakpoints'
import { useMediaQuery } from '#/lib/use-media-query'
import { CardSkeletons } from '#/ui/CardSkeleton'
import { Skeleton } from '#/ui/Skeleton'
import { BlockSection, type BlockProps } from './BlockSection'
import styles from './Blocks.module.css'

const Carousel = lazy(online(() => import('#/ui/Carousel')))

const ROW_OF_FOUR = 4

/** The newest videos in rows of four, or of three if that leaves no gap; a carousel on small screens. */
export function VideosBlock({ block }: BlockProps) {
  const row = useQuery(videoRowOptions(block.limit))
  const isSmall = useMediaQuery(upTo('small'))
  // The block is omitted if it is empty or failed to load; the section's own page offers a retry.
  if (row.isError || row.data?.length === 0) return null
  const videos = row.data ?? []
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? (
        <VideosSkeleton isSmall={isSmall} count={block.limit} />
      ) : isSmall && videos.length > 1 ? (
        <VideosCarousel label={block.title ?? 'Videos'} videos={videos} />
      ) : (
        <ul className={rowsOf(videos.length)}>
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

/** A carousel, whose code is fetched when the reader scrolls near it. */
function VideosCarousel({ label, videos }: { label: string; videos: readonly Video[] }) {
  const room = useRef<HTMLDivElement>(null)
  if (!useIsNear(room)) {
    return (
      <div ref={room}>
        <CarouselSkeleton />
      </div>
    )
  }
  const slides = videos.map((video) => ({ key: video.id, content: <VideoCard video={video} /> }))
  return (
    <Suspense fallback={<CarouselSkeleton />}>
      <Carousel label={label} slides={slides} />
    </Suspense>
  )
}

/** The class of rows of four, or of three if that leaves no gap. */
function rowsOf(count: number): string | undefined {
  return count % ROW_OF_FOUR === 0 ? styles.fours : styles.threes
}

function VideosSkeleton({ isSmall, count }: { isSmall: boolean; count: number }) {
  if (isSmall && count > 1) return <CarouselSkeleton />
  return (
    <div className={rowsOf(count)}>
      <CardSkeletons count={count} ratio="16 / 9" deckLines={3} hasMeta />
    </div>
  )
}

/** As high as the carousel: a still, its name and the buttons. */
function CarouselSkeleton() {
  return (
    <div className={styles.coming}>
      <Skeleton ratio="16 / 9" />
    </div>
  )
}
