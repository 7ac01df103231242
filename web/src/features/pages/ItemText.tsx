import { useSite } from '#/features/site/site'
import { Prose } from '#/ui/Prose'
import styles from './ItemText.module.css'

interface Props {
  item: { body?: string | null; is_age_restricted: boolean }
}

/**
 * The text of an event, a contest or a video. The server sends a restricted text only after the reader's confirmation.
 */
export function ItemText({ item }: Props) {
  const { legal_age: age } = useSite()
  if (item.body) return <Prose html={item.body} isStory />
  if (!item.is_age_restricted) return null
  return <p className={styles.restricted}>This is for readers aged {age} and over.</p>
}
