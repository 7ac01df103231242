import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { Navigate, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { isStatus } from '#/lib/http'
import { online } from '#/lib/online'
import { Retry } from '#/ui/Retry'
import { ageHeaders, forgetAnswer, declineAge, confirmAge, useAge, type AgeAnswer } from './age'

// Few readers need the dialog: few items are restricted.
const AgeDialog = lazy(online(() => import('./AgeDialog')))

interface Props<T, Key extends QueryKey> {
  isRestricted: boolean
  /** The public answer, without the restricted parts. */
  item: T
  /** The query for the full item, with the headers that confirm the reader's age. */
  whole: (headers: Record<string, string>) => UseQueryOptions<T, Error, T, Key>
  /** Renders the item; `isWhole` is false while its restricted part is missing. */
  children: (item: T, isWhole: boolean) => ReactNode
}

/**
 * An age-restricted item: until a Yes only the public answer is fetched and shown, and a No
 * redirects to the front page.
 */
export function AgeGated<T, Key extends QueryKey>(props: Props<T, Key>) {
  return props.isRestricted ? <Restricted {...props} /> : props.children(props.item, true)
}

function Restricted<T, Key extends QueryKey>({ item, whole, children }: Props<T, Key>) {
  const age = useAge()
  const gated = useQuery({ ...whole(ageHeaders()), enabled: age === 'yes' })
  const isShown = age === 'yes' && gated.isSuccess
  return (
    <>
      {children(isShown ? gated.data : item, isShown)}
      {age === 'yes' && gated.isError && <Refused error={gated.error} again={gated.refetch} />}
      <AgeQuestion />
    </>
  )
}

interface PublicProps {
  isRestricted: boolean
  /** Whether the reader may see the item. */
  children: (isAllowed: boolean) => ReactNode
}

/** Asks the same question for an item that has only a public answer. */
export function AgeGatedPublic({ isRestricted, children }: PublicProps) {
  const age = useAge()
  if (!isRestricted) return children(true)
  return (
    <>
      {children(age === 'yes')}
      <AgeQuestion />
    </>
  )
}

function AgeQuestion() {
  const gate = useGate(useAge())
  // Replaces the address, so that Back does not return to the refusal.
  if (gate.isRefused) return <Navigate to="/" replace />
  return (
    <Suspense>
      <AgeDialog isOpen={gate.isOpen} onYes={confirmAge} onNo={gate.onNo} />
    </Suspense>
  )
}

function Refused({ error, again }: { error: Error; again: () => Promise<unknown> }) {
  // The server has not recorded the Yes: ask again.
  return <Retry onRetry={isStatus(error, 403) ? forgetAnswer : () => void again()} />
}

/** Whether the dialog is open, and the effects of its answers. */
function useGate(age: AgeAnswer) {
  const navigate = useNavigate()
  // The address changes before the page does; the front page is never restricted.
  const isFront = useLocation({ select: (location) => location.pathname === '/' })

  return {
    isOpen: age === 'none' && !isFront,
    isRefused: age === 'no' && !isFront,
    onNo: (isRemembered: boolean): void => {
      declineAge(isRemembered)
      void navigate({ to: '/' })
    },
  }
}
