import type { Article } from '#/api/types'
import { SiteLink } from '#/ui/SiteLink'
import { tagAddress } from './archive-address'
import styles from './Tags.module.css'

/** An article's tags, each linked to all articles with that tag. */
export function Tags({ tags }: Pick<Article, 'tags'>) {
  if (tags.length === 0) return null
  return (
    <nav className={styles.tags} aria-label="Tags">
      <ul>
        {tags.map((tag) => (
          <li key={tag.slug}>
            <SiteLink href={tagAddress(tag.slug)}>{tag.name}</SiteLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
