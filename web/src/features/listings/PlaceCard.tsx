import type { ReactNode } from 'react'
import type { Listing } from '#/api/types'
import { Card, type CardProps } from '#/ui/Card'
import { PlacePicture } from './PlacePicture'

export interface PlaceCardProps extends Pick<CardProps, 'look' | 'heading'> {
  place: Listing
  isFirst?: boolean
  /** The heart, supplied by the caller. */
  action?: ReactNode
}

export function PlaceCard({ place, isFirst = false, ...rest }: PlaceCardProps) {
  return (
    <Card
      name={place.name}
      href={place.share_url}
      picture={<PlacePicture place={place} isFirst={isFirst} />}
      kicker={place.sub_type?.name ?? place.type.name_singular}
      note={place.is_closed ? 'Closed' : undefined}
      meta={place.default_neighborhood?.name}
      {...rest}
    />
  )
}
