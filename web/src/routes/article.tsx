import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { Article } from '#/api/types'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { AgeGated } from '#/features/age-gate/AgeGated'
import { ArticlePicture } from '#/features/articles/ArticlePicture'
import { ArticleText } from '#/features/articles/ArticleText'
import { Byline } from '#/features/articles/Byline'
import { deckOf } from '#/lib/deck'
import { MoreFrom } from '#/features/articles/MoreFrom'
import { articleOptions, gatedArticleOptions } from '#/features/articles/queries'
import { Tags } from '#/features/articles/Tags'
import { PlaceNote } from '#/features/listings/PlaceNote'
import { NewsletterPanel } from '#/features/newsletters/NewsletterPanel'
import { newsletterOf } from '#/features/newsletters/newsletters'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { SaveButton } from '#/features/saved/SaveButton'
import { PageTitle } from '#/features/site/PageTitle'
import { Bleed } from '#/ui/Bleed'
import { Headline } from '#/ui/Headline'
import { ShareLinks } from '#/ui/ShareLinks'
import { SiteLink } from '#/ui/SiteLink'
import { ArticleSkeleton, StorySkeleton } from './ArticleSkeleton'
import { LoadedPage } from './LoadedPage'
import styles from './article.module.css'

export function prefetch(client: QueryClient, { id }: ResolvedPageProps): Promise<unknown> {
  return client.query(articleOptions(id))
}

export function ArticlePage({ id }: ResolvedPageProps) {
  const article = useQuery(articleOptions(id))
  return (
    <LoadedPage query={article} skeleton={<ArticleSkeleton />}>
      {(loaded) => (
        <AgeGated
          item={loaded}
          isRestricted={loaded.is_age_restricted}
          whole={(headers) => gatedArticleOptions(id, headers)}
        >
          {(item, isWhole) => <Ready article={item} isWhole={isWhole} />}
        </AgeGated>
      )}
    </LoadedPage>
  )
}

interface ReadyProps {
  article: Article
  /** Whether the text has been loaded. */
  isWhole: boolean
}

function Ready({ article, isWhole }: ReadyProps) {
  const about = {
    page: 'article',
    section: article.section.slug,
    article: article.id,
    tags: article.tags.map((tag) => tag.slug),
  } as const
  return (
    // No ads beside a text with an age limit.
    <AdPage about={article.is_age_restricted ? null : about}>
      <PageTitle page={article.name} />
      <article>
        <header className={styles.head}>
          <div>
            <Headline
              name={article.name}
              deck={deckOf(article.excerpt, article.body)}
              kicker={<SiteLink href={article.section.share_url}>{article.section.name}</SiteLink>}
            />
          </div>
          <div className={styles.picture}>
            <Bleed>
              <ArticlePicture article={article} isFirst />
            </Bleed>
          </div>
        </header>
        <div className={styles.columns}>
          <div className={styles.side}>
            <div className={styles.meta}>
              <Byline article={article} />
              <div className={styles.save}>
                <SaveButton
                  kind="article-bookmark"
                  objectId={article.id}
                  name={article.name}
                  look="labelled"
                />
              </div>
              <ShareLinks path={article.share_url} title={article.name} />
            </div>
            <AdSpot at="side" />
          </div>
          <div className={styles.story}>
            {isWhole ? (
              <ArticleText article={article} card={(place) => <PlaceNote place={place} />} />
            ) : (
              <StorySkeleton />
            )}
            <Tags tags={article.tags} />
          </div>
        </div>
      </article>
      <AdSpot at="lead" />
      <div className={styles.after}>
        <MoreFrom article={article} />
      </div>
      <AdSpot at="end" />
      <NewsletterPanel type={newsletterOf(article.section.slug)} />
    </AdPage>
  )
}
