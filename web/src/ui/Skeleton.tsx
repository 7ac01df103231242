import type { CSSProperties } from 'react'
import styles from './Skeleton.module.css'

interface Props {
  width?: string
  height?: string
  /** A picture's shape instead of a height. */
  ratio?: string
}

export function Skeleton({ width = '100%', height, ratio }: Props) {
  const style: CSSProperties = { width }
  if (height) style.height = height
  if (ratio) style.aspectRatio = ratio
  return <span className={styles.bone} style={style} aria-hidden="true" />
}
