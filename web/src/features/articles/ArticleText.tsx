import { Fragment, type ReactNode } from 'react'
import type { Article, Listing } from '#/api/types'
import { Prose } from '#/ui/Prose'
import { sectionsOf } from './sections'

interface Props {
  article: Pick<Article, 'body' | 'listings'>
  /** The card of a place that the text names. */
  card: (place: Listing) => ReactNode
}

/** The text of an article, with the card of each place after the paragraph that first names it. */
export function ArticleText({ article, card }: Props) {
  const places = new Map(article.listings?.map((place) => [place.id, place]))
  return sectionsOf(article.body ?? '').map(({ html, placeId }, index) => {
    const place = placeId === undefined ? undefined : places.get(placeId)
    return (
      <Fragment key={index}>
        {(index === 0 || html) && <Prose html={html} isStory={index === 0} />}
        {place && card(place)}
      </Fragment>
    )
  })
}
