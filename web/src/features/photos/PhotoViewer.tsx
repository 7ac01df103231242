import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { PageTitle } from '#/features/site/PageTitle'
import { lastSlug } from '#/lib/share-path'
import { announce } from '#/ui/Announcer'
import { Dialog } from '#/ui/Dialog'
import { Loading } from '#/ui/Loading'
import { Notice } from '#/ui/Notice'
import { Placeholder } from '#/ui/Placeholder'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { PhotoFacts } from './PhotoFacts'
import styles from './PhotoViewer.module.css'
import type { WithPhotos } from './queries'
import { Stage } from './Stage'
import { useSequence } from './use-sequence'
import type { Photo } from './types'
import { titleOf } from './words'

const KEYS: Record<string, 1 | -1 | undefined> = { ArrowLeft: -1, ArrowRight: 1 }

interface Props {
  place: WithPhotos & { name: string; share_url: string }
  /** The photo that the address names. */
  id: number
}

/** A photo of a place, full-screen over the place's page. Each photo has its own address. */
export function PhotoViewer({ place, id }: Props) {
  const sequence = useSequence(place, id)
  const { photo, position, total, isAbsent } = sequence
  const router = useRouter()
  // From the address that opened it: when it closes, the address changes first.
  const [isFromPlace] = useState(() => router.state.location.state.isFromPlace === true)
  const close = useClose(place.share_url, isFromPlace)
  const step = useSteps(id, sequence)
  useCanonical(photo)
  const title = isAbsent ? 'Not found' : `Photos of ${place.name}`

  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = KEYS[event.key]
    // Ignores keys in a dialog above this one, and Alt with an arrow, which is Back.
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
      title={title}
      onClose={close}
      onKeyDown={onKeyDown}
      finalFocus={isFromPlace ? undefined : () => thumbnailOf(photo, place.share_url)}
    >
      <PageTitle page={photo ? titleOf(photo) : title} />
      <div className={styles.viewer}>
        <p className={styles.counter} role="status">
          {position !== undefined && `${position + 1} of ${total}`}
        </p>
        {photo ? (
          <>
            <Stage photo={photo} sequence={sequence} onStep={step} />
            <PhotoFacts photo={photo} place={place} onDeleted={close} />
          </>
        ) : isAbsent ? (
          <div className={styles.message}>
            <Notice level={1} title="There is no photo at this address">
              <p>It may have been deleted, or the address is misspelt.</p>
              <SiteLink href={place.share_url}>{`Back to ${place.name}`}</SiteLink>
            </Notice>
          </div>
        ) : sequence.isFailed ? (
          <div className={styles.message}>
            <Retry title="The photo did not load" onRetry={sequence.retry} />
          </div>
        ) : (
          <Loading>
            <Placeholder what="the photo" className={styles.loading} />
          </Loading>
        )}
      </div>
    </Dialog>
  )
}

/**
 * The element that gets the focus after a photo was opened by its own address: its thumbnail, or
 * the first one if the list has not reached it.
 */
function thumbnailOf(photo: Photo | undefined, path: string): HTMLElement | undefined {
  const all = document.querySelectorAll<HTMLElement>(`#content a[href^="${path}photos/"]:has(img)`)
  return [...all].find((link) => link.getAttribute('href') === photo?.share_path) ?? all[0]
}

/**
 * Closing returns to the page from which the photo was opened, like Back. A photo that was opened
 * by its own address is replaced by its place's page.
 */
function useClose(path: string, isFromPlace: boolean): () => void {
  const router = useRouter()
  const isClosing = useRef(false)
  return () => {
    // A second Escape would go back to the page before.
    if (isClosing.current) return
    isClosing.current = true
    if (isFromPlace) router.history.back()
    else void router.navigate({ to: path, replace: true, resetScroll: false })
  }
}

/**
 * Moves to a photo beside the current one, one step at a time: while a photo is loading further steps are dropped,
 * so that a held key skips none. A photo that is not loaded yet is shown once it arrives.
 */
function useSteps(id: number, sequence: ReturnType<typeof useSequence>) {
  const navigate = useNavigate()
  const pendingId = useRef<number | null>(null)
  const wanted = useRef<1 | -1 | null>(null)

  const go = (to: Photo, direction: 1 | -1): void => {
    wanted.current = null
    pendingId.current = to.id
    sequence.expect(to, direction)
    void navigate({ to: to.share_path, replace: true, state: true, resetScroll: false })
  }

  useEffect(() => {
    pendingId.current = null
    wanted.current = null
  }, [id])

  useEffect(() => {
    const direction = wanted.current
    if (!direction) return
    const next = sequence.neighbour(direction)
    if (next) go(next, direction)
    else if (sequence.isMissing(direction)) {
      wanted.current = null
      announce('The next photo did not load.')
    }
  })

  return (direction: 1 | -1): void => {
    if (pendingId.current !== null || wanted.current !== null || !sequence.has(direction)) return
    const next = sequence.neighbour(direction)
    if (next) {
      go(next, direction)
      return
    }
    wanted.current = direction
    if (sequence.isMissing(direction)) sequence.retry()
  }
}

/** Corrects the address of a photo that was opened below another place. */
function useCanonical(photo: Photo | undefined): void {
  const navigate = useNavigate()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const canonical = photo?.share_path
  const isMeant = canonical !== undefined && lastSlug(path) === lastSlug(canonical)
  useEffect(() => {
    // The router ignores a slash at the end.
    if (!isMeant || canonical === path.replace(/\/$/, '')) return
    void navigate({ to: canonical, replace: true, state: true, resetScroll: false })
  }, [isMeant, canonical, path, navigate])
}
