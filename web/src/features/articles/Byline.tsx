import type { Article } from '#/api/types'
import { SiteLink } from '#/ui/SiteLink'
import { authorAddress } from './archive-address'
import styles from './Byline.module.css'

/** The authors, and the publication day in the city. */
export function Byline({ article }: { article: Article }) {
  return (
    <div className={styles.byline}>
      {article.authors.length > 0 && (
        <p>
          By{' '}
          {article.authors.map((author, index) => (
            <span key={author.slug}>
              {separator(index, article.authors.length)}
              <SiteLink href={authorAddress(author.slug)}>{author.name}</SiteLink>
            </span>
          ))}
        </p>
      )}
      {article.published_on && (
        <p className={styles.day}>
          <time dateTime={article.date_published ?? undefined}>{article.published_on}</time>
        </p>
      )}
    </div>
  )
}

function separator(index: number, length: number): string {
  if (index === 0) return ''
  return index === length - 1 ? ' and ' : ', '
}
