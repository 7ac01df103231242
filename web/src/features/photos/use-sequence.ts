import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isStatus } from '#/lib/http'
import { itemsOf } from '#/lib/paging'
import {
  pageOf,
  photoOptions,
  photoPageOptions,
  placePhotosOptions,
  type WithPhotos,
} from './queries'
import type { Photo } from './types'

type Direction = 1 | -1

interface Sequence {
  photo: Photo | undefined
  /** From 0; undefined if unknown. */
  position: number | undefined
  total: number
  isAbsent: boolean
  isFailed: boolean
  /** Whether there is a photo on that side, loaded or not. */
  has: (direction: Direction) => boolean
  /** The photo on that side, once it is loaded. */
  neighbour: (direction: Direction) => Photo | undefined
  /** Whether a request for the photo on that side has failed. */
  isMissing: (direction: Direction) => boolean
  /** Remembers the position of the photo that the viewer moves to. */
  expect: (photo: Photo, direction: Direction) => void
  /** Repeats failed requests. */
  retry: () => void
}

/**
 * The position of a photo among the photos of its place, of which only some are loaded: the place's list from its
 * beginning, which grows as the reader moves past its end, and single pages around a photo further on.
 */
export function useSequence(place: WithPhotos, id: number): Sequence {
  const list = useInfiniteQuery(placePhotosOptions(place))
  const pages = list.data?.pages ?? []
  const items = itemsOf(pages)
  const at = items.findIndex((photo) => photo.id === id)
  const isListed = at >= 0

  const [positions, setPositions] = useState<ReadonlyMap<number, number>>(new Map())
  const expected = positions.get(id)
  const isUnknown = !isListed && expected === undefined
  const own = useQuery({ ...photoOptions(id), enabled: isUnknown && !list.isPending })
  const index = own.data?.index
  const position = isListed ? at : (expected ?? (index ? index - 1 : undefined))

  const count = pages.at(-1)?.count ?? 0
  const total = Math.max(count, own.data?.total ?? 0, items.length)

  // The page right after the list is loaded as part of the list.
  const isFurther = (one: number): boolean =>
    one >= items.length && one < total && !(isListed && one === items.length)
  const around = position === undefined ? [] : [position - 1, position, position + 1]
  const offsets = [...new Set(around.filter(isFurther).map(pageOf))]
  const further = useQueries({
    queries: offsets.map((offset) => photoPageOptions(place.id, offset)),
  })
  const photoAt = (one: number): Photo | undefined =>
    items[one] ?? further[offsets.indexOf(pageOf(one))]?.data?.results[one - pageOf(one)]

  const isLastOfList = isListed && at === items.length - 1
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  useEffect(() => {
    if (isLastOfList && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [isLastOfList, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])

  const has = (direction: Direction): boolean => {
    if (position === undefined) return false
    const one = position + direction
    return one >= 0 && one < total
  }
  const neighbour = (direction: Direction): Photo | undefined => {
    if (!has(direction) || position === undefined) return undefined
    const found = photoAt(position + direction)
    // If a photo was added in the meantime, all others have moved by one.
    return found?.id === id ? photoAt(position + 2 * direction) : found
  }

  return {
    photo: items[at] ?? own.data ?? found(further, id),
    position,
    total,
    isAbsent: isUnknown && isStatus(own.error, 404),
    isFailed: isUnknown && own.isError,
    has,
    neighbour,
    isMissing: (direction) =>
      has(direction) &&
      !neighbour(direction) &&
      ((isLastOfList && isFetchNextPageError && !isFetching) ||
        (further.some(({ isError }) => isError) && !further.some((page) => page.isFetching))),
    expect: (photo, direction) => {
      if (position === undefined) return
      setPositions((before) => new Map(before).set(photo.id, position + direction))
    },
    retry: () => {
      if (isUnknown) void own.refetch()
      if (isLastOfList && hasNextPage && !isFetching) void fetchNextPage()
      for (const page of further) if (page.isError) void page.refetch()
    },
  }
}

function found(pages: readonly { data: { results: Photo[] } | undefined }[], id: number) {
  return pages.flatMap(({ data }) => data?.results ?? []).find((photo) => photo.id === id)
}
