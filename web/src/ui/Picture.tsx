import { useState } from 'react'
import { srcsetOf } from '#/lib/picture-sizes'
import { Tile } from './Tile'
import styles from './Picture.module.css'

/** The widths of displayed pictures; `gateway/src/pages/content/markup.rs` has the same. */
const WIDTHS = '(min-width: 1020px) 720px, 100vw'
const LAZY_WIDTHS = '(min-width: 640px) 420px, 100vw'

interface Props {
  id: number
  name: string
  source?: string | null | undefined
  /** A number shared by related items, such as a place's type: their tiles share a palette. */
  family?: number
  /** The first picture of a page is fetched immediately; the others load lazily. */
  isFirst?: boolean
}

/** A 3:2 picture, or a tile without one. It is decorative: the name is beside it. */
export function Picture({ id, name, source, family = 0, isFirst = false }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  const srcset = source ? srcsetOf(source) : undefined
  return (
    <div className={styles.frame}>
      {source && failed !== source ? (
        <img
          className={styles.picture}
          loading={isFirst ? 'eager' : 'lazy'}
          sizes={srcset && (isFirst ? WIDTHS : LAZY_WIDTHS)}
          srcSet={srcset}
          src={source}
          alt=""
          width={720}
          height={480}
          fetchPriority={isFirst ? 'high' : undefined}
          decoding="async"
          onError={() => setFailed(source)}
        />
      ) : (
        <Tile id={id} name={name} family={family} />
      )}
    </div>
  )
}
