import { useEffect, useEffectEvent, useState, type DragEvent } from 'react'
import { FileButton } from '#/ui/FileButton'
import styles from './ChooseFiles.module.css'
import { ACCEPT, filesOf } from './picture-files'

interface Props {
  /** Whether to take less height, next to chosen photos. */
  isCompact: boolean
  onFiles: (files: readonly File[]) => void
}

/** Accepts files from the picker, a phone's camera, drag and drop, or the clipboard. */
export function FilePicker({ isCompact, onFiles }: Props) {
  const [isOver, setOver] = useState(false)
  const onPaste = useEffectEvent((event: ClipboardEvent): void => {
    const files = filesOf(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent): void => onPaste(event)
    document.addEventListener('paste', listener)
    return () => document.removeEventListener('paste', listener)
  }, [])

  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const files = filesOf(event.dataTransfer)
    if (files.length > 0) onFiles(files)
  }

  return (
    <div
      className={`${styles.zone} ${isCompact ? styles.compact : ''}`.trim()}
      role="presentation"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p className={styles.hint}>Drop photos here, paste them, or</p>
      <FileButton accept={ACCEPT} multiple onFiles={onFiles}>
        Choose photos
      </FileButton>
      <FileButton className={styles.camera} accept={ACCEPT} capture="environment" onFiles={onFiles}>
        Take a photo
      </FileButton>
      <p className={styles.note}>JPEG, PNG or WebP, up to 25 MB each</p>
    </div>
  )
}
