import { useInfiniteQuery } from '@tanstack/react-query'
import { itemsOf } from '#/lib/paging'
import { Loading } from '#/ui/Loading'
import { LoadMore } from '#/ui/LoadMore'
import { Retry } from '#/ui/Retry'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { uploadPath } from './addresses'
import { Mosaic, MosaicSkeleton } from './Mosaic'
import styles from './PlacePhotos.module.css'
import { placePhotosOptions, type WithPhotos } from './queries'

const HEADING = 'photos'

interface Props {
  place: WithPhotos & { name: string; share_url: string; is_closed: boolean }
}

/** Readers' photos of a place. A closed place accepts no more. */
export function PlacePhotos({ place }: Props) {
  const list = useInfiniteQuery(placePhotosOptions(place))
  const photos = itemsOf(list.data?.pages ?? [])
  const isEmpty = list.isSuccess && photos.length === 0
  if (isEmpty && place.is_closed) return null
  return (
    <section className={styles.section} aria-labelledby={HEADING}>
      <SectionHeading
        id={HEADING}
        aside={!place.is_closed && <SiteLink href={uploadPath(place)}>Upload a Photo</SiteLink>}
      >
        Photos
      </SectionHeading>
      {list.isPending ? (
        <Loading>
          <MosaicSkeleton />
        </Loading>
      ) : photos.length > 0 ? (
        <>
          <Mosaic photos={photos} />
          <LoadMore
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            isFailed={list.isFetchNextPageError}
            loaded={photos.length}
            total={list.data?.pages.at(-1)?.count ?? -1}
            onMore={() => void list.fetchNextPage()}
          />
        </>
      ) : isEmpty ? (
        <p className={styles.empty}>
          There are no user photos yet.{' '}
          <SiteLink href={uploadPath(place)}>Add the first photo</SiteLink>
        </p>
      ) : (
        <Retry title="The photos did not load" onRetry={() => void list.refetch()} />
      )}
    </section>
  )
}
