import { useState } from 'react'
import { TOGGLED_KINDS, type ToggledName } from './kinds'
import { useSaved } from './saved'
import styles from './SaveButton.module.css'

interface Props {
  kind: ToggledName
  objectId: number
  name: string
  /** A round button on its own background, as on a picture, or one with its label beside the icon. */
  look?: 'round' | 'labelled' | undefined
}

/** The control that saves an object and removes it again, such as a place's heart. */
export function SaveButton({ kind, objectId, name, look = 'round' }: Props) {
  const { isOn, toggle } = useSaved(kind, objectId)
  const { words, icon: Icon } = TOGGLED_KINDS[kind]
  // The flourish belongs to a click that switches on, not to a page that shows what was on.
  const [hasClicked, setClicked] = useState(false)
  const classes = [styles.save, styles[look], isOn && hasClicked && styles.flourish]
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(' ')}
      // Either the name stays and the state changes, or the name alone says both.
      {...(look === 'round' && {
        'aria-pressed': isOn,
        'aria-label': `${words.control} ${name}`,
      })}
      data-on={isOn || undefined}
      data-saves={`${kind}/${objectId}`}
      onClick={() => {
        setClicked(true)
        toggle()
      }}
    >
      <Icon className={styles.icon} />
      {look === 'labelled' && <span>{isOn ? words.added : words.add}</span>}
    </button>
  )
}
