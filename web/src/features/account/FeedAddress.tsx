import { useState } from 'react'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { TextField } from '#/ui/form/TextField'
import styles from './FeedControls.module.css'
import forms from './forms.module.css'

/** The private address of a feed, to be copied or handed to this device's calendar. */
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
        {/* Browsers have no clipboard for pages without TLS; the field can be copied from there too. */}
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
