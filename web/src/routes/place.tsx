import { useQuery } from '@tanstack/react-query'
import type { ListingDetail } from '#/api/types'
import { AgeGated } from '#/features/age-gate/AgeGated'
import { Heart } from '#/features/favourites/Heart'
import { Badge } from '#/features/listings/Badge'
import { MoreLikeThis } from '#/features/listings/MoreLikeThis'
import { PlacePicture } from '#/features/listings/PlacePicture'
import { gatedListingOptions, listingOptions } from '#/features/listings/queries'
import { Story } from '#/features/listings/Story'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { useSite } from '#/features/site/site'
import { useDocumentTitle } from '#/lib/document-title'
import { isStatus } from '#/lib/http'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import { NotFoundPage } from './not-found'
import styles from './place.module.css'

export function PlacePage({ id }: ResolvedPageProps) {
  const place = useQuery(listingOptions(id))
  if (place.isPending) return <PlaceSkeleton />
  if (place.isError) {
    if (isStatus(place.error, 404)) return <NotFoundPage />
    return <Retry onRetry={() => void place.refetch()} />
  }
  return (
    <AgeGated
      item={place.data}
      isRestricted={place.data.type.is_age_restricted}
      whole={(headers) => gatedListingOptions(id, headers)}
    >
      {(item, isWhole) => <Ready place={item} isWhole={isWhole} />}
    </AgeGated>
  )
}

interface ReadyProps {
  place: ListingDetail
  /** Whether its review is there already. */
  isWhole: boolean
}

function Ready({ place, isWhole }: ReadyProps) {
  const site = useSite()
  useDocumentTitle(place.name, site.name)
  return (
    <article>
      <header className={styles.head}>
        <p className={styles.kicker}>
          <SiteLink href={place.type.share_url}>{place.type.name}</SiteLink>
          {place.default_neighborhood && (
            <SiteLink href={place.default_neighborhood.share_url}>
              {place.default_neighborhood.name}
            </SiteLink>
          )}
        </p>
        <h1 className={styles.name}>{place.name}</h1>
      </header>
      <div className={styles.columns}>
        <div className={styles.picture}>
          <PlacePicture place={place} isFirst />
        </div>
        <div className={styles.side}>
          <Badge place={place} />
        </div>
        <div className={styles.story}>
          {isWhole ? <Story place={place} /> : <Skeleton height="12rem" />}
        </div>
      </div>
      <MoreLikeThis place={place} />
      <div className={styles.dock}>
        <Heart listingId={place.id} name={place.name} look="labelled" />
      </div>
    </article>
  )
}

function PlaceSkeleton() {
  return (
    <div role="status" aria-label="Loading the place">
      <div className={styles.head}>
        <Skeleton width="12rem" height="1rem" />
        <br />
        <Skeleton width="70%" height="4rem" />
      </div>
      <div className={styles.columns}>
        <div className={styles.picture}>
          <Skeleton ratio="3 / 2" />
        </div>
        <div className={styles.side}>
          <Skeleton height="18rem" />
        </div>
        <div className={styles.story}>
          <Skeleton height="12rem" />
        </div>
      </div>
    </div>
  )
}
