import { useState } from 'react'
import { Tile } from './Tile'
import styles from './Picture.module.css'

interface Props {
  id: number
  name: string
  source?: string | null | undefined
  /** What it is of, in numbers: places of one type, articles of one section have related tiles. */
  family?: number
  /** The picture that a page opens with is fetched first; all others wait until they are near. */
  isFirst?: boolean
}

/** A picture, 3:2, or the tile that stands in for it. Decoration: the name says it all. */
export function Picture({ id, name, source, family = 0, isFirst = false }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
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
        <Tile id={id} name={name} family={family} />
      )}
    </div>
  )
}
