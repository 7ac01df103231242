import { useQuery } from '@tanstack/react-query'
import { ConfirmButton } from '#/features/account/ConfirmButton'
import { AdSpot } from '#/features/ads/AdSpot'
import { useSession } from '#/features/session/current'
import { useSite } from '#/features/site/site'
import { formatDate, parseInstant } from '#/lib/time'
import { dayIn } from '#/lib/zone'
import { announce } from '#/ui/Announcer'
import { Avatar } from '#/ui/Avatar'
import { ShareLinks } from '#/ui/ShareLinks'
import { SiteLink } from '#/ui/SiteLink'
import { useDeletePhoto } from './mutations'
import styles from './PhotoFacts.module.css'
import { isOwnOptions } from './queries'
import { ReportPhoto } from './ReportPhoto'
import type { Photo } from './types'
import { authorOf, LICENCES } from './words'

interface Props {
  photo: Photo
  place: { name: string; share_url: string }
  onDeleted: () => void
}

/** The caption of a photo, its photographer and place, and the actions for it. */
export function PhotoFacts({ photo, place, onDeleted }: Props) {
  const { timezone } = useSite()
  const author = authorOf(photo)
  const photographer = photo.credit || author?.full_name
  const licence = LICENCES[photo.licence]
  const taken = dayIn(timezone, parseInstant(photo.creation_date))
  return (
    <div className={styles.facts}>
      <p className={styles.caption}>{photo.description || `A reader’s photo of ${place.name}`}</p>
      <div className={styles.author}>
        {author && <Avatar name={author.full_name} source={author.avatar_url} />}
        <p>
          {photographer && <b>Photo: {photographer}</b>}
          {author && author.full_name !== photographer && <span>Shared by {author.full_name}</span>}
          <time dateTime={photo.creation_date}>{formatDate(taken)}</time>
        </p>
      </div>
      <h3 className={styles.place}>
        <SiteLink href={place.share_url}>{place.name}</SiteLink>
      </h3>
      <p className={styles.rights}>
        {licence.href ? (
          <a href={licence.href} rel="license noopener" target="_blank">
            {licence.label}
          </a>
        ) : (
          <span>{licence.label}</span>
        )}
      </p>
      <ShareLinks path={photo.share_path} title={`${place.name}: a photo`} />
      <Controls key={photo.id} photo={photo} onDeleted={onDeleted} />
      <AdSpot at="side" />
      <AdSpot at="end" />
    </div>
  )
}

/** A reader can delete their own photos, and report others. */
function Controls({ photo, onDeleted }: Omit<Props, 'place'>) {
  const isMember = useSession().status === 'member'
  const isOwn = useQuery({ ...isOwnOptions(photo.id), enabled: isMember })
  const remove = useDeletePhoto(photo)
  if (!isMember || isOwn.isPending) return <div className={styles.controls} />
  return (
    <div className={styles.controls}>
      {isOwn.data ? (
        <ConfirmButton
          name="Delete this photo"
          text="It is gone for good, here and from your dashboard."
          isBusy={remove.isPending || remove.isSuccess}
          error={remove.error}
          onYes={() =>
            remove.mutate(undefined, {
              onSuccess: () => {
                announce('The photo is deleted.')
                onDeleted()
              },
            })
          }
        />
      ) : (
        <ReportPhoto id={photo.id} />
      )}
    </div>
  )
}
