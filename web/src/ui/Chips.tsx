import styles from './Chips.module.css'
import { SiteLink } from './SiteLink'

interface Props {
  /** The accessible name of the list. */
  label: string
  links: readonly { name: string; href: string }[]
  /** Whether they are in one line, which scrolls. */
  isLine?: boolean
}

/** Links as a row of chips. */
export function Chips({ label, links, isLine = false }: Props) {
  return (
    <ul className={`${styles.chips} ${isLine ? styles.line : ''}`.trim()} aria-label={label}>
      {links.map(({ name, href }) => (
        <li key={href}>
          <SiteLink href={href}>{name}</SiteLink>
        </li>
      ))}
    </ul>
  )
}
