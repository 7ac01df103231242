import { Button } from '#/ui/Button'
import { useGiveAnswer } from './account'
import styles from './ConsentButtons.module.css'
import type { Choice } from './choice'

interface Props {
  /** The current answer, if it is shown. */
  choice?: Choice
}

/** The two answers, with equal weight. */
export function ConsentButtons({ choice }: Props) {
  const answer = useGiveAnswer()
  const pressed = (which: Choice) =>
    choice === undefined ? {} : { 'aria-pressed': choice === which }
  return (
    <div className={styles.answers}>
      <Button look="outline" {...pressed('all')} onClick={() => answer('all')}>
        Accept all
      </Button>
      <Button look="outline" {...pressed('needed')} onClick={() => answer('needed')}>
        Only what is needed
      </Button>
    </div>
  )
}
