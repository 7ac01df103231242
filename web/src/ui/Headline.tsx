import type { ReactNode } from 'react'
import { Kicker } from './Kicker'
import styles from './Headline.module.css'

interface Props {
  /** Links and words above the name. */
  kicker?: ReactNode
  name: string
  /** A sentence below the name. */
  deck?: string | null | undefined
  /** Larger, for a place. */
  isLarge?: boolean
}

/** The heading of a page about one item. */
export function Headline({ kicker, name, deck, isLarge = false }: Props) {
  return (
    <>
      {kicker && <Kicker>{kicker}</Kicker>}
      <h1 className={isLarge ? styles.large : styles.name}>{name}</h1>
      {deck && <p className={styles.deck}>{deck}</p>}
    </>
  )
}
