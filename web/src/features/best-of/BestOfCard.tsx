import type { BestOfList } from '#/api/types'
import { Card, type CardProps } from '#/ui/Card'
import { Picture } from '#/ui/Picture'

interface Props extends Pick<CardProps, 'look' | 'heading' | 'deck'> {
  list: BestOfList
  isFirst?: boolean
}

export function BestOfCard({ list, isFirst = false, ...rest }: Props) {
  return (
    <Card
      name={list.name}
      href={list.share_url}
      picture={
        <Picture
          id={list.id}
          name={list.name}
          source={list.image_url}
          family={BEST_OF}
          isFirst={isFirst}
        />
      }
      deck={list.line}
      kicker={list.count === 1 ? '1 place' : `${list.count} places`}
      {...rest}
    />
  )
}

/** The tiles of all best-of lists share a palette. */
const BEST_OF = 5
