import type { ReactNode } from 'react'
import { Loaded, type QueryState } from '#/ui/Loaded'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import styles from './Profile.module.css'

interface Props<T> {
  title: string
  /** The data in words: "devices". */
  what: string
  query: QueryState<T>
  /** The height of the skeleton. */
  height: string
  note?: ReactNode
  children: (data: T) => ReactNode
}

/** A section of the profile that loads its own data. */
export function ProfileSection<T>({ title, what, query, height, note, children }: Props<T>) {
  const id = what.replaceAll(' ', '-')
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 className={styles.title} id={id}>
        {title}
      </h2>
      {note}
      <Loaded
        query={query}
        failure={`Your ${what} did not load`}
        skeleton={
          <Placeholder what={`your ${what}`}>
            <Skeleton height={height} />
          </Placeholder>
        }
      >
        {children}
      </Loaded>
    </section>
  )
}
