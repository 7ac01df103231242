import type { ReactNode } from 'react'
import { ArticleCard } from '#/features/articles/ArticleCard'
import { EventCard } from '#/features/events/EventCard'
import { Place } from '#/features/listings/Place'
import { SAVED_KINDS, type SavedItem, type SavedName } from '#/features/saved/kinds'
import { VideoCard } from '#/features/videos/VideoCard'
import { instant } from '#/lib/time'

/** The kinds of things that are kept for later. */
export const KEPT = [
  'favourite',
  'todo',
  'article-bookmark',
  'video-bookmark',
  'event-bookmark',
] as const satisfies readonly SavedName[]
export type KeptName = (typeof KEPT)[number]

/** A line for a kept thing; null for one that is not published any more. */
const LINES: { [K in KeptName]: (item: SavedItem<K>) => ReactNode } = {
  favourite: ({ listing }) => 'share_url' in listing && <Place place={listing} look="line" />,
  todo: ({ listing }) => 'share_url' in listing && <Place place={listing} look="line" />,
  'article-bookmark': ({ article }) =>
    'share_url' in article && <ArticleCard article={article} look="line" />,
  'video-bookmark': ({ video }) => 'share_url' in video && <VideoCard video={video} look="line" />,
  'event-bookmark': ({ event }) => 'share_url' in event && <EventCard event={event} look="line" />,
}

interface NewestOf<K extends KeptName> {
  name: K
  items: readonly SavedItem<K>[]
}

/** The newest things of one kind. */
export type NewestOfAny = { [K in KeptName]: NewestOf<K> }[KeptName]

export interface KeptLine {
  /** A place is one thing, whether it is a favourite, a to-do or both. */
  key: string
  line: ReactNode
}

/** The newest of all kinds together, each thing once. */
export function newestLines(newest: readonly NewestOfAny[], limit: number): KeptLine[] {
  const all = newest.flatMap((one) => linesOf(one as NewestOf<KeptName>))
  all.sort((one, other) => other.at - one.at)
  const lines = new Map<string, ReactNode>()
  for (const { key, line } of all) if (!lines.has(key)) lines.set(key, line)
  return [...lines].slice(0, limit).map(([key, line]) => ({ key, line }))
}

function linesOf<K extends KeptName>({ name, items }: NewestOf<K>) {
  const kind = SAVED_KINDS[name]
  return items
    .filter((item) => item.is_available)
    .map((item) => ({
      key: `${kind.section ?? name} ${kind.objectOf(item).id}`,
      at: instant(item.date_created),
      line: LINES[name](item),
    }))
}
