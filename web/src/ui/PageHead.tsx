import type { ReactNode } from 'react'
import styles from './PageHead.module.css'

interface Props {
  title: string
  children?: ReactNode
}

export function PageHead({ title, children }: Props) {
  return (
    <header className={styles.head}>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.deck}>{children}</p>
    </header>
  )
}
