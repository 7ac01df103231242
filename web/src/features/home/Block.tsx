import type { ComponentType } from 'react'
import type { HomeBlock } from '#/api/types'
import { ArticlesBlock, LeadBlock } from './ArticlesBlocks'
import { BestOfBlock } from './BestOfBlock'
import type { BlockProps } from './BlockSection'
import { ContestsBlock } from './ContestsBlock'
import { EventsBlock } from './EventsBlock'
import { NeighbourhoodsBlock } from './NeighbourhoodsBlock'
import { PlacesBlock, ReviewsBlock } from './PlacesBlocks'
import { VideosBlock } from './VideosBlock'

/** The components of the front page's blocks. The server leaves out blocks of sections that are off. */
const KINDS: Partial<Record<HomeBlock['kind'], ComponentType<BlockProps>>> = {
  lead: LeadBlock,
  articles: ArticlesBlock,
  reviews: ReviewsBlock,
  places: PlacesBlock,
  best_of: BestOfBlock,
  events: EventsBlock,
  contests: ContestsBlock,
  videos: VideosBlock,
  neighbourhoods: NeighbourhoodsBlock,
}

export function Block(props: BlockProps) {
  const Kind = KINDS[props.block.kind]
  return Kind ? <Kind {...props} /> : null
}
