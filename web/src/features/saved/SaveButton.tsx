import { useState } from 'react'
import { TOGGLES, type ToggledName } from './toggles'
import { useSaved } from './use-saved'
import styles from './SaveButton.module.css'

interface Props {
  kind: ToggledName
  objectId: number
  name: string
  /** A round button with a background, for pictures, or a button with a label beside the icon. */
  look?: 'round' | 'labelled' | undefined
}

/** The control that saves an object and removes it, such as a place's heart. */
export function SaveButton({ kind, objectId, name, look = 'round' }: Props) {
  const { isOn, isWaiting, toggle } = useSaved(kind, objectId)
  const { control, add, added, icon: Icon } = TOGGLES[kind]
  // Only a click starts the flourish, not the first render.
  const [hasClicked, setClicked] = useState(false)
  const classes = [styles.save, styles[look], isOn && hasClicked && styles.flourish]
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(' ')}
      // Either the name is constant and the state changes, or the name alone expresses both.
      {...(look === 'round' && {
        'aria-pressed': isOn,
        'aria-label': `${control} ${name}`,
      })}
      aria-busy={isWaiting || undefined}
      data-on={isOn || undefined}
      data-saves={`${kind}/${objectId}`}
      onClick={() => {
        setClicked(true)
        toggle()
      }}
    >
      <Icon className={styles.icon} />
      {look === 'labelled' && <span>{isOn ? added : add}</span>}
    </button>
  )
}
