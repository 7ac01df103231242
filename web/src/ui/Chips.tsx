import styles from './Chips.module.css'
import { CloseIcon } from './icons'
import { SiteLink } from './SiteLink'

interface ChipLink {
  name: string
  href: string
  /** The accessible name of a link that removes something. */
  removal?: string
}

interface Props {
  /** The accessible name of the list. */
  label: string
  links: readonly ChipLink[]
  /** Whether they are in one line, which scrolls. */
  isLine?: boolean
}

/** Links as a row of chips. */
export function Chips({ label, links, isLine = false }: Props) {
  return (
    <ul className={`${styles.chips} ${isLine ? styles.line : ''}`.trim()} aria-label={label}>
      {links.map(({ name, href, removal }) => (
        <li key={name}>
          <SiteLink href={href} aria-label={removal}>
            {name}
            {removal && <CloseIcon />}
          </SiteLink>
        </li>
      ))}
    </ul>
  )
}
