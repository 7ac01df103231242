import type { ReactNode } from 'react'
import { ArticleCard } from '#/features/articles/ArticleCard'
import { EventCard } from '#/features/events/EventCard'
import { PlaceWithControls } from '#/features/listings/PlaceWithControls'
import { SAVED_KINDS, type SavedItem } from '#/features/saved/kinds'
import type { ToggledName } from '#/features/saved/toggles'
import { VideoCard } from '#/features/videos/VideoCard'
import { parseInstant } from '#/lib/time'

/** The line of a saved thing; empty if it is no longer published. */
const LINES: { [K in ToggledName]: (item: SavedItem<K>) => ReactNode } = {
  favourite: ({ listing }) =>
    'share_url' in listing && <PlaceWithControls place={listing} look="line" />,
  todo: ({ listing }) =>
    'share_url' in listing && <PlaceWithControls place={listing} look="line" />,
  'article-bookmark': ({ article }) =>
    'share_url' in article && <ArticleCard article={article} look="line" />,
  'video-bookmark': ({ video }) => 'share_url' in video && <VideoCard video={video} look="line" />,
  'event-bookmark': ({ event }) => 'share_url' in event && <EventCard event={event} look="line" />,
}

interface NewestOf<K extends ToggledName> {
  name: K
  items: readonly SavedItem<K>[]
}

/** The newest things of one kind. */
export type NewestOfAny = { [K in ToggledName]: NewestOf<K> }[ToggledName]

export interface SavedLine {
  /** The same for a place that is both a favourite and a to-do, so that it appears once. */
  key: string
  line: ReactNode
}

/** The newest things of all kinds, each once. */
export function newestLines(newest: readonly NewestOfAny[], limit: number): SavedLine[] {
  const all = newest.flatMap((one) => linesOf(one as NewestOf<ToggledName>))
  all.sort((one, other) => other.at - one.at)
  const lines = new Map<string, ReactNode>()
  for (const { key, line } of all) if (!lines.has(key)) lines.set(key, line)
  return [...lines].slice(0, limit).map(([key, line]) => ({ key, line }))
}

function linesOf<K extends ToggledName>({ name, items }: NewestOf<K>) {
  const kind = SAVED_KINDS[name]
  return items
    .filter((item) => item.is_available)
    .map((item) => ({
      key: `${kind.objectType} ${kind.objectOf(item).id}`,
      at: parseInstant(item.date_created),
      line: LINES[name](item),
    }))
}
