import type { ChangeEvent, ComponentProps } from 'react'
import buttons from './Button.module.css'
import styles from './FileButton.module.css'

interface Props extends Pick<ComponentProps<'input'>, 'accept' | 'capture' | 'multiple' | 'ref'> {
  look?: 'solid' | 'outline'
  /** Whether choosing files is blocked. */
  isBusy?: boolean
  className?: string
  children: string
  onFiles: (files: readonly File[]) => void
}

/** A button that opens the file picker. */
export function FileButton({
  look = 'solid',
  isBusy,
  className,
  children,
  onFiles,
  ...rest
}: Props) {
  const classes = [buttons.button, buttons[look], styles.button, className]
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const files = [...(event.target.files ?? [])]
    // The same file can be chosen again after it was removed.
    event.target.value = ''
    if (files.length > 0) onFiles(files)
  }
  return (
    <label className={classes.filter(Boolean).join(' ')} aria-busy={isBusy || undefined}>
      {isBusy && <span className={buttons.spinner} aria-hidden="true" />}
      <input
        {...rest}
        type="file"
        className="visually-hidden"
        // Not `disabled`, which would remove the focus.
        onClick={isBusy ? (event) => event.preventDefault() : undefined}
        onChange={choose}
      />
      {children}
    </label>
  )
}
