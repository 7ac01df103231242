import { useState } from 'react'
import { Tile } from './Tile'
import styles from './PlacePicture.module.css'

interface Props {
  place: { id: number; name: string; image_url?: string | null; type: { id: number } }
  /** The picture that a page opens with is fetched first; all others wait until they are near. */
  isFirst?: boolean
}

/** A place's picture, 3:2, or the tile that stands in for it. Decoration: the name says it all. */
export function PlacePicture({ place, isFirst = false }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  const source = place.image_url
  return (
    <div className={styles.frame}>
      {source && failed !== source ? (
        <img
          className={styles.picture}
          src={source}
          alt=""
          width={720}
          height={480}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
          decoding="async"
          onError={() => setFailed(source)}
        />
      ) : (
        <Tile id={place.id} name={place.name} typeId={place.type.id} />
      )}
    </div>
  )
}
