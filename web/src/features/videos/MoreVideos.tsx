import { useQuery } from '@tanstack/react-query'
import type { Video } from '#/api/types'
import { Shelf, ShelfSkeleton } from '#/features/grid/Shelf'
import { CardSkeletons } from '#/ui/CardSkeleton'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { videoRowOptions } from './queries'
import { VideoCard } from './VideoCard'

const SHOWN = 4
// One more than is shown, since the current video may be among them.
const FETCHED = SHOWN + 1

/** The newest other videos, below a video. */
export function MoreVideos({ video }: { video: Video }) {
  const row = useQuery(videoRowOptions(FETCHED))
  const others = row.data?.filter((other) => other.id !== video.id).slice(0, SHOWN) ?? []
  // This row is optional: if it fails or is empty, it is left out.
  if (!row.isLoading && others.length === 0) return null
  return (
    <section aria-busy={row.isLoading || undefined}>
      <SectionHeading aside={<SiteLink href="/videos/">All videos</SiteLink>}>
        More to watch
      </SectionHeading>
      {row.isLoading ? (
        <ShelfSkeleton>
          <CardSkeletons count={SHOWN} ratio="16 / 9" deckLines={3} hasMeta />
        </ShelfSkeleton>
      ) : (
        <Shelf>
          {others.map((other) => (
            <li key={other.id}>
              <VideoCard video={other} />
            </li>
          ))}
        </Shelf>
      )}
    </section>
  )
}
