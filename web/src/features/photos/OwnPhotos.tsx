import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { SECTIONS } from '#/features/dashboard/sections'
import { GridSkeleton } from '#/features/grid/Grid'
import { itemsOf } from '#/lib/paging'
import { grouped } from '#/lib/words'
import { Loading } from '#/ui/Loading'
import { LoadMore } from '#/ui/LoadMore'
import { Notice } from '#/ui/Notice'
import { PageHead } from '#/ui/PageHead'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { OwnPhotoItem } from './OwnPhotoItem'
import styles from './OwnPhotos.module.css'
import { ownPhotosOptions } from './queries'
import type { OwnPhoto, PhotoPage } from './types'

/** The interval between refetches while a photo is being processed, in milliseconds. */
const PROCESSING_POLL = 4000

function hasProcessing(pages: readonly PhotoPage<OwnPhoto>[] = []): boolean {
  return pages.some(({ results }) => results.some(({ status }) => status === 'processing'))
}

/** The reader's photos in the dashboard, newest first, with the status of each. */
export function OwnPhotos() {
  const list = useInfiniteQuery({
    ...ownPhotosOptions(),
    refetchInterval: ({ state }) => (hasProcessing(state.data?.pages) ? PROCESSING_POLL : false),
  })
  const photos = itemsOf(list.data?.pages ?? [])
  const total = list.data?.pages.at(-1)?.count ?? -1
  const box = useRef<HTMLDivElement>(null)
  return (
    <>
      <PageHead
        title={SECTIONS.photos.label}
        deck={total > 0 ? `${grouped(total)} uploaded` : ''}
      />
      {list.isPending ? (
        <Loading>
          <GridSkeleton what="photos" count={4} />
        </Loading>
      ) : photos.length > 0 ? (
        // The focused button is removed with its photo.
        <div ref={box} tabIndex={-1} className={styles.box}>
          <h2 className="visually-hidden">Your photos</h2>
          <ul className={styles.list}>
            {photos.map((photo) => (
              <OwnPhotoItem
                key={photo.id}
                photo={photo}
                onDeleted={() => box.current?.focus({ preventScroll: true })}
              />
            ))}
          </ul>
          <LoadMore
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            isFailed={list.isFetchNextPageError}
            loaded={photos.length}
            total={total}
            onMore={() => void list.fetchNextPage()}
          />
        </div>
      ) : list.isError ? (
        <Retry onRetry={() => void list.refetch()} />
      ) : list.hasNextPage ? (
        <LoadMore
          hasMore
          isLoading={list.isFetchingNextPage}
          isFailed={list.isFetchNextPageError}
          loaded={0}
          total={total}
          onMore={() => void list.fetchNextPage()}
        />
      ) : (
        <Notice title="You have no photos yet.">
          <p>Open the page of a place that you know, and choose “Upload a Photo” there.</p>
          <SiteLink href="/places/">Browse places</SiteLink>
        </Notice>
      )}
    </>
  )
}
