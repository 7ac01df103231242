import { useQuery } from '@tanstack/react-query'
import { videoRowOptions } from '#/features/videos/queries'
import { VideoCard } from '#/features/videos/VideoCard'
import { Skeleton } from '#/ui/Skeleton'
import { BlockSection, type BlockProps } from './BlockSection'
import styles from './Blocks.module.css'

const FOUR = 4

/** What can be watched: rows of four, or of three where fours would leave a gap. */
export function VideosBlock({ block }: BlockProps) {
  const row = useQuery(videoRowOptions(block.limit))
  // A row that fails or is empty leaves the front page shorter; its own page offers another try.
  if (row.isError || row.data?.length === 0) return null
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? (
        <Skeleton height="14rem" />
      ) : (
        <ul className={row.data.length % FOUR === 0 ? styles.fours : styles.threes}>
          {row.data.map((video) => (
            <li key={video.id}>
              <VideoCard video={video} />
            </li>
          ))}
        </ul>
      )}
    </BlockSection>
  )
}
