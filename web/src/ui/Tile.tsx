import styles from './Tile.module.css'

const STEPS = 5
const PALETTES = [
  ...(['palette0', 'palette1', 'palette2', 'palette3'] as const),
  ...(['palette4', 'palette5', 'palette6', 'palette7'] as const),
]
const MOTIFS = ['plate', 'awning', 'tracks', 'lake', 'floor', 'arches', 'dots'] as const

interface Props {
  id: number
  name: string
  family: number
}

/**
 * A poster in place of a missing picture: an initial on a figure. The palette starts with the family, and both
 * change from one id to the next: an item always looks the same, and different from items with similar ids.
 */
export function Tile({ id, name, family }: Props) {
  const palette = PALETTES[(family * 3 + (id % STEPS) * 3) % PALETTES.length] ?? 'palette0'
  const motif = MOTIFS[(id * 2 + Math.floor(id / STEPS)) % MOTIFS.length] ?? 'plate'
  const turn = Math.floor(id / MOTIFS.length) % 4
  return (
    <div className={`${styles.tile} ${styles[palette]}`} data-turn={turn} aria-hidden="true">
      <span className={`${styles.figure} ${styles[motif]}`} />
      <span className={styles.letter}>{initial(name)}</span>
    </div>
  )
}

/** The first significant letter or digit: "The Wren" is a W. */
function initial(name: string): string {
  const words = name.replace(/^(the|le|la|el)\s+/iu, '')
  const match = /[\p{L}\p{N}]/u.exec(words) ?? /[\p{L}\p{N}]/u.exec(name)
  return match ? match[0].toLocaleUpperCase() : '·'
}
