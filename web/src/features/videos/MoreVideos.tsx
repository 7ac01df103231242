import { useQuery } from '@tanstack/react-query'
import type { Video } from '#/api/types'
import { Shelf } from '#/features/grid/Shelf'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { videoRowOptions } from './queries'
import { VideoCard } from './VideoCard'

const SHOWN = 4
// One more than is shown, since the video itself may be among them.
const ASKED = SHOWN + 1

/** The newest others, at a video's end. */
export function MoreVideos({ video }: { video: Video }) {
  const row = useQuery(videoRowOptions(ASKED))
  const others = row.data?.filter((other) => other.id !== video.id).slice(0, SHOWN) ?? []
  // Beside the video itself this is an extra: where it fails or is empty, the page ends earlier.
  if (others.length === 0) return null
  return (
    <section>
      <SectionHeading aside={<SiteLink href="/videos/">All videos</SiteLink>}>
        More to watch
      </SectionHeading>
      <Shelf>
        {others.map((other) => (
          <li key={other.id}>
            <VideoCard video={other} />
          </li>
        ))}
      </Shelf>
    </section>
  )
}
