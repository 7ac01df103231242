import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { PageTitle } from '#/features/site/PageTitle'
import { lastSlug } from '#/lib/share-path'
import { announce } from '#/ui/Announcer'
import { Dialog } from '#/ui/Dialog'
import { Notice } from '#/ui/Notice'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { PhotoFacts } from './PhotoFacts'
import styles from './PhotoViewer.module.css'
import type { WithPhotos } from './queries'
import { Stage } from './Stage'
import { useSequence } from './use-sequence'
import type { Photo } from './types'

const KEYS: Record<string, 1 | -1 | undefined> = { ArrowLeft: -1, ArrowRight: 1 }

interface Props {
  place: WithPhotos & { name: string; share_url: string }
  /** The photo of the address. */
  id: number
}

/** A photo of a place on the whole screen, over the place's page. Each photo has an address of its own. */
export function PhotoViewer({ place, id }: Props) {
  const sequence = useSequence(place, id)
  const { photo, position, total } = sequence
  const router = useRouter()
  // Of the address that opened it: on closing the address changes first.
  const [isFromPlace] = useState(() => router.state.location.state.isFromPlace === true)
  const close = useClose(place.share_url, isFromPlace)
  const step = useSteps(id, sequence)
  useCanonical(photo)

  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = KEYS[event.key]
    // Not what is typed into a dialog above this one, and not Back by the keyboard.
    const isOwn = event.currentTarget.contains(event.target as Node)
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (!direction || !isOwn || !isPlain) return
    event.preventDefault()
    step(direction)
  }

  return (
    <Dialog
      kind="full"
      isOpen
      isTitleHidden
      title={`Photos of ${place.name}`}
      onClose={close}
      onKeyDown={onKeyDown}
      finalFocus={isFromPlace ? undefined : () => thumbnailOf(photo, place.share_url)}
    >
      <PageTitle page={`Photos of ${place.name}`} />
      <div className={styles.viewer}>
        <p className={styles.counter} role="status">
          {position !== undefined && `${position + 1} of ${total}`}
        </p>
        {photo ? (
          <>
            <Stage photo={photo} sequence={sequence} onStep={step} />
            <PhotoFacts photo={photo} place={place} onDeleted={close} />
          </>
        ) : sequence.isAbsent ? (
          <Notice title="This photo is not here any more">
            <SiteLink href={place.share_url}>{place.name}</SiteLink>
          </Notice>
        ) : sequence.isFailed ? (
          <Retry title="The photo did not load" onRetry={sequence.retry} />
        ) : (
          <div className={styles.loading} role="status" aria-label="Loading the photo" />
        )}
      </div>
    </Dialog>
  )
}

/** Where the focus goes if the photo was opened by its own address; far down the list, to the first photo. */
function thumbnailOf(photo: Photo | undefined, path: string): HTMLElement | undefined {
  const all = document.querySelectorAll<HTMLElement>(`#content a[href^="${path}photos/"]:has(img)`)
  return [...all].find((link) => link.getAttribute('href') === photo?.share_path) ?? all[0]
}

/**
 * Closing leads back to the page from which the photo was opened, as Back does; a photo that was opened by
 * its own address is replaced by its place's page.
 */
function useClose(path: string, isFromPlace: boolean): () => void {
  const router = useRouter()
  const isClosing = useRef(false)
  return () => {
    // A second Escape would lead on to the page before.
    if (isClosing.current) return
    isClosing.current = true
    if (isFromPlace) router.history.back()
    else void router.navigate({ to: path, replace: true, resetScroll: false })
  }
}

/**
 * Moves to the photo beside the current one, one at a time: while a photo is on its way further steps are
 * dropped, so that a held key skips none. What is not loaded yet is moved to as soon as it comes.
 */
function useSteps(id: number, sequence: ReturnType<typeof useSequence>) {
  const navigate = useNavigate()
  const asked = useRef<number | null>(null)
  const wanted = useRef<1 | -1 | null>(null)

  const go = (to: Photo, direction: 1 | -1): void => {
    wanted.current = null
    asked.current = to.id
    sequence.expect(to, direction)
    void navigate({ to: to.share_path, replace: true, state: true, resetScroll: false })
  }

  useEffect(() => {
    asked.current = null
    wanted.current = null
  }, [id])

  useEffect(() => {
    const direction = wanted.current
    if (!direction) return
    const next = sequence.beside(direction)
    if (next) go(next, direction)
    else if (sequence.isMissing(direction)) {
      wanted.current = null
      announce('The next photo did not load.')
    }
  })

  return (direction: 1 | -1): void => {
    if (asked.current !== null || wanted.current !== null || !sequence.has(direction)) return
    const next = sequence.beside(direction)
    if (next) {
      go(next, direction)
      return
    }
    wanted.current = direction
    if (sequence.isMissing(direction)) sequence.retry()
  }
}

/** A photo may have been reached by an address of another place. */
function useCanonical(photo: Photo | undefined): void {
  const navigate = useNavigate()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const canonical = photo?.share_path
  const isMeant = canonical !== undefined && lastSlug(path) === lastSlug(canonical)
  useEffect(() => {
    // With and without a slash at the end is the same address to the router.
    if (!isMeant || canonical === path.replace(/\/$/, '')) return
    void navigate({ to: canonical, replace: true, state: true, resetScroll: false })
  }, [isMeant, canonical, path, navigate])
}
