import type { Found } from '#/api/types'
import { ArticleCard } from '#/features/articles/ArticleCard'
import { BestOfCard } from '#/features/best-of/BestOfCard'
import { EventCard } from '#/features/events/EventCard'
import { PlaceWithControls } from '#/features/listings/PlaceWithControls'
import { VideoCard } from '#/features/videos/VideoCard'
import styles from './SearchResult.module.css'

interface Props {
  found: Found
}

/** The card of a result, with the passage that matches. */
export function SearchResult({ found }: Props) {
  const passage = found.highlight.text
  return (
    <>
      {card(found)}
      {/* The card of a place already has its address. */}
      {found.kind !== 'listing' && passage.some(({ is_match }) => is_match) && (
        <p className={styles.passage}>
          {passage.map(({ text, is_match: matches }, index) =>
            matches ? <mark key={index}>{text}</mark> : text,
          )}
        </p>
      )}
    </>
  )
}

function card(found: Found) {
  switch (found.kind) {
    case 'listing':
      return <PlaceWithControls place={found} />
    case 'best-of-list':
      return <BestOfCard list={found} />
    case 'article':
      return <ArticleCard article={found} />
    case 'event':
      return <EventCard event={found} />
    case 'video':
      return <VideoCard video={found} />
  }
}
