import type { ReactNode } from 'react'
import { Kicker } from './Kicker'
import styles from './PageHead.module.css'

interface Props {
  /** The page's parent, above its title. */
  kicker?: ReactNode
  title: string
  /** A sentence below the title; an empty string reserves its line while it loads. */
  deck?: ReactNode
  children?: ReactNode
}

/** The head of a list page. */
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
