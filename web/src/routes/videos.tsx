import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { SortedGrid } from '#/features/grid/SortedGrid'
import { ORDERINGS, VIDEOS } from '#/features/videos/queries'
import { VideoCard } from '#/features/videos/VideoCard'
import { PageTitle } from '#/features/site/PageTitle'

export function VideosPage() {
  return (
    <AdPage about={{ page: 'videos' }}>
      <PageTitle page="Videos" />
      <SortedGrid title="Videos" unit={['video', 'videos']} path={VIDEOS} orderings={ORDERINGS}>
        {(video, index) => <VideoCard video={video} isFirst={index < 2} />}
      </SortedGrid>
      <AdSpot at="end" />
    </AdPage>
  )
}
