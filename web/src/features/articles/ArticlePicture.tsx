import type { Article } from '#/api/types'
import { useSite } from '#/features/site/site'
import { Picture } from '#/ui/Picture'

interface Props {
  article: Article
  isFirst?: boolean
}

export function ArticlePicture({ article, isFirst = false }: Props) {
  const sections = useSite().article_sections
  return (
    <Picture
      id={article.id}
      name={article.name}
      source={article.image_url}
      family={sections.findIndex((known) => known.slug === article.section.slug) + 1}
      isFirst={isFirst}
    />
  )
}
