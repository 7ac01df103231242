import type { ReactNode } from 'react'
import { Kicker } from './Kicker'
import styles from './Headline.module.css'

interface Props {
  /** What it is, above its name: links and words. */
  kicker?: ReactNode
  name: string
  /** A sentence of it, below its name. */
  deck?: string | null | undefined
  /** Of what the site is about: a place. */
  isLarge?: boolean
}

/** How a page names the one thing that it is about. */
export function Headline({ kicker, name, deck, isLarge = false }: Props) {
  return (
    <>
      {kicker && <Kicker>{kicker}</Kicker>}
      <h1 className={isLarge ? styles.large : styles.name}>{name}</h1>
      {deck && <p className={styles.deck}>{deck}</p>}
    </>
  )
}
