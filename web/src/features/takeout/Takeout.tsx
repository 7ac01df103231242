import { useEffect, useRef, useState } from 'react'
import type { SavedTakeout } from '#/api/types'
import { sectionHref, SECTIONS } from '#/features/dashboard/sections'
import { FileButton } from '#/ui/FileButton'
import { Failure } from '#/ui/form/Failure'
import { PageHead } from '#/ui/PageHead'
import { SiteLink } from '#/ui/SiteLink'
import { useReview } from './mutations'
import { Review } from './Review'
import { places, type PlaceKind } from './review'
import styles from './Takeout.module.css'

const FIELDS = ['file'] as const
const ACCEPT = '.json,.csv,application/json,text/csv'

interface Done {
  saved: SavedTakeout
  kind: PlaceKind
}

/** Imports places that the reader has saved in Google Maps: the file, the matches, and the choice. */
export function Takeout() {
  const review = useReview()
  const [done, setDone] = useState<Done | null>(null)
  const choose = ([file]: readonly File[]): void => {
    if (!file) return
    setDone(null)
    review.mutate(file)
  }
  const button = (
    <FileButton
      look={review.data ? 'outline' : 'solid'}
      accept={ACCEPT}
      isBusy={review.isPending}
      className={styles.choose}
      onFiles={choose}
    >
      {review.data ? 'Choose another file' : 'Choose a file'}
    </FileButton>
  )
  return (
    <div className={styles.section}>
      <PageHead title="Your places from Google Maps" />
      <p>
        Bring along what you have saved there. We look your places up in our guide, and you choose
        which of them to save. Your file is read once and not kept.
      </p>
      <details className={styles.help}>
        <summary>How to get the file</summary>
        <ol>
          <li>
            At <a href="https://takeout.google.com/">takeout.google.com</a>, choose “Saved” for your
            lists and “Maps (your places)” for your starred places, and nothing else.
          </li>
          <li>Download the archive that Google makes for you, and open it.</li>
          <li>
            Choose one file inside it: “Saved Places.json” for your starred places, or the table of
            a list, such as “Want to go.csv”.
          </li>
        </ol>
      </details>
      <p className="visually-hidden" role="status">
        {review.isPending && 'Your places are being looked up.'}
      </p>
      {!review.data && button}
      <Failure error={review.error} fields={FIELDS} />
      {review.data && !done && (
        <Review
          key={review.submittedAt}
          review={review.data}
          onSaved={(saved, kind) => setDone({ saved, kind })}
        >
          {button}
        </Review>
      )}
      {done && (
        <>
          <Saved {...done} />
          {button}
        </>
      )}
    </div>
  )
}

/** Reports the saved places, and takes the focus of the removed button. */
function Saved({ saved, kind }: Done) {
  const message = useRef<HTMLParagraphElement>(null)
  useEffect(() => message.current?.focus(), [])
  const list = SECTIONS[kind].label.toLowerCase()
  const { already_saved: before, unknown } = saved
  return (
    <div className={styles.result}>
      <p ref={message} className={styles.saved} tabIndex={-1} role="status">
        {places(saved.saved)} saved to your {list}.
        {before > 0 && ` ${places(before)} ${before === 1 ? 'was' : 'were'} there before.`}
        {unknown.length > 0 &&
          ` ${places(unknown.length)} ${unknown.length === 1 ? 'is' : 'are'} no longer in our guide.`}
      </p>
      <SiteLink href={sectionHref(kind)}>See your {list}</SiteLink>
    </div>
  )
}
