import type { ComponentType } from 'react'
import type { HomeBlock } from '#/api/types'
import { LeadBlock } from './ArticlesBlocks'
import type { BlockProps } from './BlockSection'
import { LaterBlock } from './LaterBlock'
import { ReviewsBlock } from './PlacesBlocks'

/** The blocks whose first items are in the gateway's page. */
const OPENING: Partial<Record<HomeBlock['kind'], ComponentType<BlockProps>>> = {
  lead: LeadBlock,
  reviews: ReviewsBlock,
}

/** The block at the top of the front page. */
export function FirstBlock({ block }: { block: HomeBlock }) {
  const Opening = OPENING[block.kind]
  return Opening ? <Opening block={block} isFirst /> : <LaterBlock block={block} />
}
