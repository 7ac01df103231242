import type { ReactNode } from 'react'
import { Kicker } from './Kicker'
import styles from './PageHead.module.css'

interface Props {
  /** What the page belongs to, above its title. */
  kicker?: ReactNode
  title: string
  /** A sentence of it; its line is kept where the words are still to come. */
  deck?: ReactNode
  children?: ReactNode
}

/** How a page of many things opens. */
export function PageHead({ kicker, title, deck, children }: Props) {
  return (
    <header className={styles.head}>
      {kicker && <Kicker>{kicker}</Kicker>}
      <h1 className={styles.title}>{title}</h1>
      {deck !== undefined && <p className={styles.deck}>{deck}</p>}
      {children}
    </header>
  )
}
