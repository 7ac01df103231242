import { grouped } from '#/lib/words'
import styles from './Counted.module.css'
import { SiteLink } from './SiteLink'

interface Props {
  href: string
  name: string
  count: number
  /** The noun, singular and plural. */
  unit: readonly [string, string]
}

/** A line of an index: a link and a count. */
export function Counted({ href, name, count, unit: [one, several] }: Props) {
  return (
    <SiteLink className={styles.line} href={href}>
      <span>{name}</span>
      <span className={styles.count}>
        {grouped(count)}
        <span className="visually-hidden"> {count === 1 ? one : several}</span>
      </span>
    </SiteLink>
  )
}
