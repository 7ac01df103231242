import styles from './Brand.module.css'
import { useSite } from './site'

/** The site's logo, or its name. */
export function Brand() {
  const { logo, name } = useSite()
  if (!logo) return name
  return (
    <img
      className={styles.logo}
      src={logo.url}
      width={logo.width}
      height={logo.height}
      alt={name}
    />
  )
}
