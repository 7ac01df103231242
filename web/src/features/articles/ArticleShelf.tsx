import type { Article } from '#/api/types'
import { Shelf } from '#/features/grid/Shelf'
import { SectionHeading } from '#/ui/SectionHeading'
import { ArticleCard } from './ArticleCard'

/** A row of articles; nothing without articles. */
export function ArticleShelf({ title, articles }: { title: string; articles: readonly Article[] }) {
  if (articles.length === 0) return null
  return (
    <section>
      <SectionHeading>{title}</SectionHeading>
      <Shelf>
        {articles.map((article) => (
          <li key={article.id}>
            <ArticleCard article={article} />
          </li>
        ))}
      </Shelf>
    </section>
  )
}
