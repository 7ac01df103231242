import type { ReactNode } from 'react'
import type { Listing } from '#/api/types'
import { Card, type CardProps } from '#/ui/Card'
import { ListedStars } from './ListedStars'
import { PlacePicture } from './PlacePicture'

export interface PlaceCardProps extends Pick<CardProps, 'look' | 'heading'> {
  place: Listing
  isFirst?: boolean
  /** Whether the caller shows the reader's own stars, which replace the mean. */
  hasOwnStars?: boolean
  /** The heart, supplied by the caller. */
  action?: ReactNode
}

export function PlaceCard({
  place,
  isFirst = false,
  hasOwnStars = false,
  look = 'card',
  ...rest
}: PlaceCardProps) {
  const line = place.line ?? undefined
  return (
    <Card
      name={place.name}
      href={place.share_url}
      picture={<PlacePicture place={place} isFirst={isFirst} />}
      kicker={place.sub_type?.name ?? place.type.name_singular}
      note={place.is_closed ? 'Closed' : undefined}
      look={look}
      {...(look === 'cover' ? { sentence: line } : { deck: line })}
      rating={!hasOwnStars && <ListedStars place={place} />}
      meta={place.default_neighborhood?.name}
      {...rest}
    />
  )
}
