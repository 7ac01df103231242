import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { Navigate, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { isStatus } from '#/lib/http'
import { online } from '#/lib/online'
import { Retry } from '#/ui/Retry'
import { ageHeaders, forgetAnswer, sayNo, sayYes, useAge, type Answer } from './age'

// Few items are restricted, so few readers fetch the dialog.
const AgeDialog = lazy(online(() => import('./AgeDialog')))

interface Props<T, Key extends QueryKey> {
  isRestricted: boolean
  /** The public answer, which leaves out what is restricted. */
  item: T
  /** The query for the full item, given the headers that confirm the reader's age. */
  whole: (headers: Record<string, string>) => UseQueryOptions<T, Error, T, Key>
  /** Renders the item; `isWhole` is false while its restricted part is missing. */
  children: (item: T, isWhole: boolean) => ReactNode
}

/**
 * An item behind the question for the reader's age (spec, sections 2 and 4): until a Yes only the
 * public answer is there or fetched, and a No leads to the front page.
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
  /** Whether the reader may see it. */
  children: (isAllowed: boolean) => ReactNode
}

/** The same question before an item that has a public answer only. */
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
  // Replaced, so that Back does not lead into the refusal again.
  if (gate.isRefused) return <Navigate to="/" replace />
  return (
    <Suspense>
      <AgeDialog isOpen={gate.isOpen} onYes={sayYes} onNo={gate.onNo} />
    </Suspense>
  )
}

function Refused({ error, again }: { error: Error; again: () => Promise<unknown> }) {
  // The server does not know of a Yes: the question is asked again.
  return <Retry onRetry={isStatus(error, 403) ? forgetAnswer : () => void again()} />
}

/** Whether the question is open, and what its answers do. */
function useGate(age: Answer) {
  const navigate = useNavigate()
  // The address changes before the page does; the front page is never gated.
  const isFront = useLocation({ select: (location) => location.pathname === '/' })

  return {
    isOpen: age === 'none' && !isFront,
    isRefused: age === 'no' && !isFront,
    onNo: (isRemembered: boolean): void => {
      sayNo(isRemembered)
      void navigate({ to: '/' })
    },
  }
}
