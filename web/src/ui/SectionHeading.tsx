import type { ReactNode } from 'react'
import styles from './SectionHeading.module.css'

interface Props {
  id?: string
  level?: 2 | 3
  children: ReactNode
  /** Content at the end of the line, such as a "See all" link. */
  aside?: ReactNode
}

export function SectionHeading({ id, level = 2, children, aside }: Props) {
  const Heading = level === 3 ? 'h3' : 'h2'
  return (
    <div className={styles.heading}>
      <Heading className={styles.title} id={id}>
        {children}
      </Heading>
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  )
}
