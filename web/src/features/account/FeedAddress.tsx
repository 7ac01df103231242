import { useState } from 'react'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { TextField } from '#/ui/form/TextField'
import styles from './FeedControls.module.css'
import forms from './forms.module.css'

/** The private address of a feed, to copy or to open in this device's calendar. */
export function FeedAddress({ url }: { url: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(url)
    setCopied(true)
    announce('The address is copied.')
  }
  return (
    <>
      <p className={forms.text}>
        Add this address to your calendar as a subscription. It shows the events that you save, and
        follows their changes. Whoever has the address can see them, so keep it to yourself.
      </p>
      <TextField
        label="Private address"
        name="calendar-feed"
        value={url}
        readOnly
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className={forms.actions}>
        {/* Without TLS pages have no clipboard; the reader can copy the field. */}
        {window.isSecureContext && (
          <Button onClick={() => void copy()}>{isCopied ? 'Copied' : 'Copy the address'}</Button>
        )}
        <a className={styles.link} href={url.replace(/^https?:/, 'webcal:')}>
          Open in this device’s calendar
        </a>
      </div>
    </>
  )
}
