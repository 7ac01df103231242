import type { Article } from '#/api/types'
import { SaveButton } from '#/features/saved/SaveButton'
import { useSite } from '#/features/site/site'
import { Card, type CardProps } from '#/ui/Card'
import { ArticlePicture } from './ArticlePicture'

interface Props extends Pick<CardProps, 'look' | 'heading' | 'action' | 'deck'> {
  article: Article
  /** In a list of its own section the card shows a tag instead of the section. */
  isInItsSection?: boolean
  isFirst?: boolean
}

export function ArticleCard({ article, isInItsSection = false, isFirst = false, ...rest }: Props) {
  const site = useSite()
  const { section, date_published: published, published_on: day } = article
  return (
    <Card
      name={article.name}
      href={article.share_url}
      picture={<ArticlePicture article={article} isFirst={isFirst} />}
      kicker={isInItsSection ? article.tags[0]?.name : section.name}
      note={article.is_age_restricted ? `${site.legal_age}+` : undefined}
      deck={article.excerpt}
      meta={day && <time dateTime={published ?? undefined}>{day}</time>}
      action={<SaveButton kind="article-bookmark" objectId={article.id} name={article.name} />}
      {...rest}
    />
  )
}
