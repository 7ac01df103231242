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

/** The card of a result; the passage that matches replaces the card's sentence. */
export function SearchResult({ found }: Props) {
  const passage = found.highlight.text
  // The card of a place already has its address.
  if (found.kind === 'listing' || !passage.some(({ is_match }) => is_match)) return card(found, {})
  return (
    <>
      {card(found, { deck: undefined })}
      <p className={styles.passage}>
        {passage.map(({ text, is_match: matches }, index) =>
          matches ? <mark key={index}>{text}</mark> : text,
        )}
      </p>
    </>
  )
}

function card(found: Found, deck: { deck?: undefined }) {
  switch (found.kind) {
    case 'listing':
      return <PlaceWithControls place={found} />
    case 'best-of-list':
      return <BestOfCard list={found} {...deck} />
    case 'article':
      return <ArticleCard article={found} {...deck} />
    case 'event':
      return <EventCard event={found} {...deck} />
    case 'video':
      return <VideoCard video={found} {...deck} />
  }
}
