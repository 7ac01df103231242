import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { isStatus } from '#/lib/http'
import { online } from '#/lib/online'
import { Retry } from '#/ui/Retry'
import { ageHeaders, forgetAnswer, sayNo, sayYes, useAge, type Answer } from './age'

// Few items ask, so few readers fetch what asks.
const AgeDialog = lazy(online(() => import('./AgeDialog')))

interface Props<T, Key extends QueryKey> {
  isRestricted: boolean
  /** What the public answer holds of it. */
  item: T
  /** Asks `gated/` for the whole, with what tells the server of the reader's age. */
  whole: (headers: Record<string, string>) => UseQueryOptions<T, Error, T, Key>
  /** Shows it; of what is restricted, without what is missing until it is whole. */
  children: (item: T, isWhole: boolean) => ReactNode
}

/**
 * What stands behind the question for the reader's age (spec, sections 2 and 4): nothing but the
 * public answer is there, or asked for, before a Yes; a No leads to the front page.
 */
export function AgeGated<T, Key extends QueryKey>(props: Props<T, Key>) {
  return props.isRestricted ? <Restricted {...props} /> : props.children(props.item, true)
}

function Restricted<T, Key extends QueryKey>({ item, whole, children }: Props<T, Key>) {
  const age = useAge()
  const gate = useGate(age)
  const gated = useQuery({ ...whole(ageHeaders()), enabled: age === 'yes' })
  const isShown = age === 'yes' && gated.isSuccess
  return (
    <>
      {children(isShown ? gated.data : item, isShown)}
      {age === 'yes' && gated.isError && <Refused error={gated.error} again={gated.refetch} />}
      <Suspense>
        <AgeDialog {...gate} />
      </Suspense>
    </>
  )
}

function Refused({ error, again }: { error: Error; again: () => unknown }) {
  // The server has heard of no Yes: the question is open again.
  const retry = isStatus(error, 403) ? forgetAnswer : again
  return <Retry onRetry={() => void retry()} />
}

/** When the question is open, and what its answers do. */
function useGate(age: Answer) {
  const navigate = useNavigate()
  // The address leaves a page before the page does; the front page is never gated.
  const isFront = useLocation({ select: (location) => location.pathname === '/' })

  useEffect(() => {
    // Back must not lead into the refusal again.
    if (age === 'no' && !isFront) void navigate({ to: '/', replace: true })
  }, [age, isFront, navigate])

  return {
    isOpen: age === 'none' && !isFront,
    onYes: sayYes,
    onNo: (isRemembered: boolean): void => {
      sayNo(isRemembered)
      void navigate({ to: '/' })
    },
  }
}
