import { Button } from '#/ui/Button'
import { useAnswer } from './account'
import styles from './Answers.module.css'
import type { Choice } from './choice'

interface Props {
  /** The answer that counts now, where it is shown. */
  choice?: Choice
}

/** The two answers, which weigh the same. */
export function Answers({ choice }: Props) {
  const answer = useAnswer()
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
