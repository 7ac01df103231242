import { useQuery } from '@tanstack/react-query'
import type { Article } from '#/api/types'
import { Shelf } from '#/features/grid/Shelf'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { ArticleCard } from './ArticleCard'
import { articleRowOptions } from './queries'

const SHOWN = 4
// One more than is shown, since the article itself may be among them.
const ASKED = SHOWN + 1

/** The newest of an article's section, at its end. */
export function MoreFrom({ article }: { article: Article }) {
  const { section } = article
  const row = useQuery(articleRowOptions(section.slug, ASKED))
  const others = row.data?.filter((other) => other.id !== article.id).slice(0, SHOWN) ?? []
  // Beside the article itself this is an extra: where it fails or is empty, the page ends earlier.
  if (others.length === 0) return null
  return (
    <section>
      <SectionHeading
        aside={
          <SiteLink href={section.share_url}>
            All<span className="visually-hidden"> of {section.name}</span>
          </SiteLink>
        }
      >
        More from {section.name}
      </SectionHeading>
      <Shelf>
        {others.map((other) => (
          <li key={other.id}>
            <ArticleCard article={other} isInItsSection />
          </li>
        ))}
      </Shelf>
    </section>
  )
}
