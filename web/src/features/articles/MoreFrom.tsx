import { useQuery } from '@tanstack/react-query'
import type { Article } from '#/api/types'
import { Shelf, ShelfSkeleton } from '#/features/grid/Shelf'
import { CardSkeletons } from '#/ui/CardSkeleton'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { ArticleCard } from './ArticleCard'
import { articleRowOptions } from './queries'

const SHOWN = 4
// One more than is shown, since the current article may be among them.
const FETCHED = SHOWN + 1

/** The newest articles of the section, below an article. */
export function MoreFrom({ article }: { article: Article }) {
  const { section } = article
  const row = useQuery(articleRowOptions(section.slug, FETCHED))
  const others = row.data?.filter((other) => other.id !== article.id).slice(0, SHOWN) ?? []
  // This row is optional: if it fails or is empty, it is left out.
  if (!row.isLoading && others.length === 0) return null
  return (
    <section aria-busy={row.isLoading || undefined}>
      <SectionHeading
        aside={
          <SiteLink href={section.share_url}>
            All<span className="visually-hidden"> of {section.name}</span>
          </SiteLink>
        }
      >
        More from {section.name}
      </SectionHeading>
      {row.isLoading ? (
        <ShelfSkeleton>
          <CardSkeletons count={SHOWN} hasKicker deckLines={3} hasMeta />
        </ShelfSkeleton>
      ) : (
        <Shelf>
          {others.map((other) => (
            <li key={other.id}>
              <ArticleCard article={other} isInItsSection />
            </li>
          ))}
        </Shelf>
      )}
    </section>
  )
}
