import { Link } from '@tanstack/react-router'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import { FROM_PLACE } from './history-state'
import styles from './Mosaic.module.css'
import { placeholderOf } from './placeholder'
import type { Photo } from './types'
import { altOf } from './words'

/** The number of photos in the first group: a large one with four beside it. Rows of six follow. */
const LARGE_GROUP = 5

// Disables the router's own class.
const NO_PROPS = {}

interface Props {
  photos: readonly Photo[]
}

/** Photos without text, close together; each links to its address, which opens the viewer. */
export function Mosaic({ photos }: Props) {
  return (
    <ul className={styles.mosaic} data-few={photos.length < LARGE_GROUP || undefined}>
      {photos.map((photo, position) => (
        <li key={photo.id}>
          <Link
            className={styles.photo}
            to={photo.share_path}
            state={FROM_PLACE}
            resetScroll={false}
            activeProps={NO_PROPS}
            style={{ backgroundImage: placeholderOf(photo.thumbhash) }}
          >
            <img
              src={photo.thumbnail_url}
              srcSet={`${photo.thumbnail_url} 300w, ${photo.prism_image_url} 610w`}
              sizes={position === 0 ? LARGE : position < LARGE_GROUP ? SMALL : ROW}
              alt={altOf(photo)}
              width={300}
              height={300}
              loading="lazy"
              decoding="async"
            />
          </Link>
        </li>
      ))}
    </ul>
  )
}

const LARGE = '(max-width: 639px) 100vw, 40rem'
const SMALL = '(max-width: 639px) 50vw, 20rem'
const ROW = '(max-width: 639px) 33vw, 13rem'

export function MosaicSkeleton() {
  return (
    <Placeholder what="the photos" className={styles.mosaic}>
      {Array.from({ length: LARGE_GROUP }, (_, index) => (
        <div key={index}>
          <Skeleton height="100%" />
        </div>
      ))}
    </Placeholder>
  )
}
