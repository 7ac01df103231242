import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { DeviceSession, DeviceSessions } from '#/api/types'
import { useLogout } from '#/features/auth/mutations'
import { useSite } from '#/features/site/site'
import { parseInstant } from '#/lib/time'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { formErrors } from '#/ui/form/errors'
import { lastActive } from './last-active'
import { useEndSession } from './mutations'
import { ProfileSection } from './ProfileSection'
import { sessionsOptions } from './queries'
import styles from './SessionList.module.css'

const NO_FIELDS = [] as const

/** The section of the devices on which the reader is logged in. */
export function Sessions() {
  const sessions = useQuery(sessionsOptions())
  return (
    <ProfileSection title="Where you are logged in" what="devices" query={sessions} height="4.5rem">
      {(page) => <SessionList page={page} />}
    </ProfileSection>
  )
}

interface Props {
  page: DeviceSessions
}

export function SessionList({ page }: Props) {
  const list = useRef<HTMLUListElement>(null)
  if (page.results.length === 0) {
    return <p className={styles.note}>No device is logged in.</p>
  }
  return (
    <>
      <ul className={styles.list} ref={list} tabIndex={-1}>
        {page.results.map((session) => (
          <li key={session.id} className={styles.session}>
            {session.is_current ? (
              <Current session={session} />
            ) : (
              <Other
                session={session}
                now={parseInstant(page.server_time)}
                // The focused button is removed with its line.
                onEnded={() => list.current?.focus()}
              />
            )}
          </li>
        ))}
      </ul>
      {page.results.every((session) => session.is_current) && (
        <p className={styles.note}>You are logged in on no other device.</p>
      )}
    </>
  )
}

interface SessionProps {
  session: DeviceSession
}

/** The browser's own session, which ends with a log-out. */
function Current({ session: { device } }: SessionProps) {
  const logout = useLogout()
  return (
    <>
      <p>
        <b className={styles.device}>{device}</b> <span className={styles.mark}>This device</span>
        <span className={styles.note}>Active now</span>
      </p>
      <End device={device} isBusy={logout.isPending} onEnd={() => logout.mutate()} />
    </>
  )
}

interface OtherProps extends SessionProps {
  /** The server's time when it sent the list. */
  now: number
  onEnded: () => void
}

function Other({ session: { id, device, last_active: active }, now, onEnded }: OtherProps) {
  const { timezone } = useSite()
  const end = useEndSession(id, () => {
    announce(`${device} is logged out.`)
    onEnded()
  })
  const { other: error } = formErrors(end.error, NO_FIELDS)
  return (
    <>
      <p>
        <b className={styles.device}>{device}</b>
        <span className={styles.note}>{lastActive(parseInstant(active), now, timezone)}</span>
      </p>
      <End device={device} isBusy={end.isPending} onEnd={() => end.mutate()} />
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </>
  )
}

interface EndProps {
  device: string
  isBusy: boolean
  onEnd: () => void
}

function End({ device, isBusy, onEnd }: EndProps) {
  return (
    <Button look="outline" isBusy={isBusy} aria-label={`Log out: ${device}`} onClick={onEnd}>
      Log out
    </Button>
  )
}
