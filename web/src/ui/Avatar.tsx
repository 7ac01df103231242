import { useState } from 'react'
import styles from './Avatar.module.css'

interface Props {
  name: string
  source: string | null | undefined
  isLarge?: boolean
}

/** A person's picture, or their initials. It is decorative: the name is beside it. */
export function Avatar({ name, source, isLarge = false }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  const classes = `${styles.avatar} ${isLarge ? styles.large : ''}`.trim()
  if (source && failed !== source) {
    return (
      <img
        className={classes}
        src={source}
        alt=""
        width={80}
        height={80}
        decoding="async"
        onError={() => setFailed(source)}
      />
    )
  }
  return (
    <span className={classes} aria-hidden="true">
      {initials(name)}
    </span>
  )
}

/** The first letters of the first and the last name. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word) => /^\p{L}/u.exec(word ?? '')?.[0].toLocaleUpperCase() ?? '').join('')
}
