import { ConfirmButton } from '#/features/account/ConfirmButton'
import { useSite } from '#/features/site/site'
import { formatDate, parseInstant } from '#/lib/time'
import { dayIn } from '#/lib/zone'
import { announce } from '#/ui/Announcer'
import { SiteLink } from '#/ui/SiteLink'
import { useDeletePhoto } from './mutations'
import styles from './OwnPhotoItem.module.css'
import { placeholderOf } from './placeholder'
import { StatusBadge } from './StatusBadge'
import type { OwnPhoto } from './types'
import { altOf, STATUSES } from './words'

interface Props {
  photo: OwnPhoto
  onDeleted: () => void
}

/** One of the reader's photos: its place, its status, and a delete button. */
export function OwnPhotoItem({ photo, onDeleted }: Props) {
  const { timezone } = useSite()
  const remove = useDeletePhoto(photo)
  const { listing, status, reason } = photo
  const picture = <Thumbnail photo={photo} />
  return (
    <li className={styles.item}>
      {status === 'published' && photo.share_path ? (
        <SiteLink href={photo.share_path}>{picture}</SiteLink>
      ) : (
        picture
      )}
      <div className={styles.body}>
        <h3 className={styles.place}>
          {listing.share_url ? (
            <SiteLink href={listing.share_url}>{listing.name}</SiteLink>
          ) : (
            listing.name
          )}
        </h3>
        <p className={styles.note}>
          <StatusBadge status={status} />{' '}
          <time dateTime={photo.creation_date}>
            {formatDate(dayIn(timezone, parseInstant(photo.creation_date)))}
          </time>
        </p>
        {photo.description && <p className={styles.description}>{photo.description}</p>}
        {status !== 'published' && <p className={styles.note}>{reason ?? STATUSES[status].text}</p>}
        <div className={styles.actions}>
          <ConfirmButton
            name="Delete"
            label={`Delete your photo of ${listing.name}`}
            text="It is gone for good, here and on the page of the place."
            isBusy={remove.isPending}
            error={remove.error}
            onYes={(close) =>
              remove.mutate(undefined, {
                onSuccess: () => {
                  close()
                  announce('The photo is deleted.')
                  onDeleted()
                },
              })
            }
          />
        </div>
      </div>
    </li>
  )
}

/** A photo that is being processed has no picture. */
function Thumbnail({ photo }: { photo: OwnPhoto }) {
  return (
    <div className={styles.thumbnail} style={{ backgroundImage: placeholderOf(photo.thumbhash) }}>
      {photo.thumbnail_url !== null && (
        <img
          src={photo.thumbnail_url}
          alt={altOf(photo)}
          width={300}
          height={300}
          loading="lazy"
          decoding="async"
        />
      )}
    </div>
  )
}
