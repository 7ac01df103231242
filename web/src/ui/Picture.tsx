import { useState } from 'react'
import { Tile } from './Tile'
import styles from './Picture.module.css'

interface Props {
  id: number
  name: string
  source?: string | null | undefined
  /** A number shared by related items, such as a place's type: their tiles share a palette. */
  family?: number
  /** The first picture of a page is fetched at once; the others load lazily. */
  isFirst?: boolean
}

/** A 3:2 picture, or a tile if there is none. It is decorative: the name says everything. */
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
