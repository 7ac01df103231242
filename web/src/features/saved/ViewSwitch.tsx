import styles from './ViewSwitch.module.css'

interface Props {
  isOnMap: boolean
  onChange: (isOnMap: boolean) => void
}

/** Switches between a list and a map. */
export function ViewSwitch({ isOnMap, onChange }: Props) {
  return (
    <div className={styles.switch} role="group" aria-label="View">
      <button type="button" aria-pressed={!isOnMap} onClick={() => onChange(false)}>
        List
      </button>
      <button type="button" aria-pressed={isOnMap} onClick={() => onChange(true)}>
        Map
      </button>
    </div>
  )
}
