import { SortedGrid } from '#/features/grid/SortedGrid'
import { useSite } from '#/features/site/site'
import { ORDERINGS, VIDEOS } from '#/features/videos/queries'
import { VideoCard } from '#/features/videos/VideoCard'
import { useDocumentTitle } from '#/lib/document-title'

export function VideosPage() {
  const site = useSite()
  useDocumentTitle('Videos', site.name)
  return (
    <SortedGrid title="Videos" unit={['video', 'videos']} path={VIDEOS} orderings={ORDERINGS}>
      {(video, index) => <VideoCard video={video} isFirst={index < 2} />}
    </SortedGrid>
  )
}
