import type { ReactNode } from 'react'
import styles from './SectionHeading.module.css'

interface Props {
  id?: string
  children: ReactNode
  /** Content at the end of the line, such as a "See all" link. */
  aside?: ReactNode
}

export function SectionHeading({ id, children, aside }: Props) {
  return (
    <div className={styles.heading}>
      <h2 className={styles.title} id={id}>
        {children}
      </h2>
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  )
}
