import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { sectionHref } from '#/features/dashboard/sections'
import { meOptions } from '#/features/session/queries'
import { announce } from '#/ui/Announcer'
import { ChoiceField } from '#/ui/form/ChoiceField'
import { Form, Submit } from '#/ui/form/Form'
import { TextField } from '#/ui/form/TextField'
import { Notice } from '#/ui/Notice'
import { PageHead } from '#/ui/PageHead'
import { SiteLink } from '#/ui/SiteLink'
import { FilePicker } from './ChooseFiles'
import { LeaveQuestion } from './LeaveQuestion'
import type { Licence } from './types'
import { UploadItem } from './UploadItem'
import styles from './UploadPhotos.module.css'
import { MAX_FILES, type Rights, type Upload } from './uploads'
import { useUploads } from './use-uploads'
import { LICENCES } from './words'

interface Props {
  place: { id: number; name: string; share_url: string; is_closed: boolean }
}

/** Uploads photos of a place. A closed place accepts none. */
export function UploadPhotos({ place }: Props) {
  const head = (
    <PageHead
      kicker={<SiteLink href={place.share_url}>{place.name}</SiteLink>}
      title="Upload photos"
      deck={place.is_closed ? undefined : `Show others what ${place.name} is like.`}
    />
  )
  if (place.is_closed) {
    return (
      <>
        {head}
        <Notice title="This place has closed">
          <p>It takes no new photos.</p>
          <SiteLink href={place.share_url}>{`Back to ${place.name}`}</SiteLink>
        </Notice>
      </>
    )
  }
  return (
    <>
      {head}
      <Uploading place={place} />
    </>
  )
}

function Uploading({ place }: Props) {
  const { uploads, all } = useUploads(place.id)
  const list = useRef<HTMLUListElement>(null)
  const states = all.map(({ id, state }) => `${id} ${state.is}`).join()
  useEffect(() => {
    // The focused button may disappear when its photo's state changes.
    if (document.activeElement === document.body) list.current?.focus({ preventScroll: true })
  }, [states])
  const isEmpty = all.length === 0
  const open = all.filter(({ state }) => state.is === 'chosen' || state.is === 'failed').length
  const isBusy = uploads.isBusy()
  const sent = all.filter(({ state }) => state.is === 'sent').length
  const isDone = sent > 0 && !isBusy && open === 0

  const add = (files: readonly File[]): void => {
    const left = uploads.add(files)
    const taken = files.length - left
    const first = taken === 1 ? '1 photo is chosen.' : `${taken} photos are chosen.`
    announce(left > 0 ? `${first} ${tooMany(left)}` : first)
  }

  return (
    <>
      <FilePicker isCompact={!isEmpty} onFiles={add} />
      <p className={styles.limit}>{all.length >= MAX_FILES && `Up to ${MAX_FILES} at a time.`}</p>
      {!isEmpty && (
        <ul className={styles.list} aria-label="Your photos" ref={list} tabIndex={-1}>
          {all.map((upload) => (
            <UploadItem key={upload.id} upload={upload} uploads={uploads} />
          ))}
        </ul>
      )}
      {isDone && <UploadsDone all={all} place={place} />}
      {open > 0 && <RightsForm open={open} onSend={(rights) => uploads.start(rights)} />}
      <LeaveQuestion isBusy={uploads.isBusy} />
    </>
  )
}

function tooMany(left: number): string {
  const rest = left === 1 ? '1 was left out' : `${left} were left out`
  return `Up to ${MAX_FILES} at a time: ${rest}.`
}

const FIELDS = ['credit', 'licence'] as const
const MAX_CREDIT = 100
const OPTIONS = Object.entries(LICENCES).map(([value, { label }]) => ({ value, label }))

interface RightsProps {
  /** The number of photos that are not sent yet. */
  open: number
  onSend: (rights: Rights) => void
}

/** The credit and licence of all photos. */
function RightsForm({ open, onSend }: RightsProps) {
  const me = useQuery(meOptions())
  const name = me.data?.full_name ?? ''
  return (
    <Form
      className={styles.form}
      aria-label="For all photos"
      fields={FIELDS}
      error={null}
      isBusy={false}
      onSend={({ credit, licence }) => onSend({ credit, licence: licence as Licence })}
    >
      <TextField
        key={name}
        label="Credit"
        name="credit"
        autoComplete="name"
        maxLength={MAX_CREDIT}
        defaultValue={name}
      />
      <ChoiceField
        label="Licence"
        name="licence"
        options={OPTIONS}
        defaultValue="all-rights-reserved"
      />
      <p className={styles.note}>Upload only photos that you took yourself.</p>
      <Submit>{open === 1 ? 'Upload 1 photo' : `Upload ${open} photos`}</Submit>
    </Form>
  )
}

interface DoneProps extends Props {
  all: readonly Upload[]
}

/** The next steps for the photos. */
function UploadsDone({ all, place }: DoneProps) {
  const photos = all.flatMap(({ state }) => (state.is === 'sent' ? [state.photo] : []))
  const isAllPublished = photos.every(({ status }) => status === 'published')
  const title = photos.length === 1 ? 'Your photo is sent' : 'Your photos are sent'
  useEffect(() => announce(title), [title])
  return (
    <Notice title={title}>
      <p>
        {isAllPublished
          ? 'Everybody can see them on the page of the place.'
          : 'One of us looks at each photo before everybody can see it. Your dashboard shows how it goes.'}
      </p>
      <SiteLink href={place.share_url}>{`Back to ${place.name}`}</SiteLink>
      <SiteLink href={sectionHref('photos')}>Your photos</SiteLink>
    </Notice>
  )
}
