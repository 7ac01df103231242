import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { FacebookDeletion } from '#/api/types'
import { facebookDeletionOptions } from '#/features/account/queries'
import { PageTitle } from '#/features/site/PageTitle'
import { useSite } from '#/features/site/site'
import { isStatus } from '#/lib/http'
import { formatMoment, instant } from '#/lib/time'
import { Notice } from '#/ui/Notice'
import { Retry } from '#/ui/Retry'
import { Skeleton } from '#/ui/Skeleton'

const DONE: Record<FacebookDeletion['outcome'], string> = {
  'nothing-stored': 'No account here was connected with this Facebook account.',
  disconnected:
    'We have deleted what came from Facebook. The account here, which has another way to log in, stays; its owner can delete it in the profile.',
  'account-erased':
    'We have deleted the account that Facebook logged in to, with everything that belonged to it. A receipt was mailed.',
}

/** What was done when somebody asked Facebook to have their data deleted. The code is the address's hash. */
export function FacebookDeletionPage() {
  const code = useLocation({ select: (location) => location.hash })
  return (
    <>
      <PageTitle page="Data from Facebook" />
      {code ? <Found code={code} /> : <Unknown />}
    </>
  )
}

function Found({ code }: { code: string }) {
  const { timezone } = useSite()
  const deletion = useQuery(facebookDeletionOptions(code))
  if (deletion.data) {
    const { outcome, date_requested: at } = deletion.data
    return (
      <Notice level={1} title="Your request has been carried out">
        <p>{DONE[outcome]}</p>
        {at && <p>You asked on {formatMoment(instant(at), timezone)}.</p>}
      </Notice>
    )
  }
  if (isStatus(deletion.error, 404)) return <Unknown />
  if (deletion.isError) return <Retry onRetry={() => void deletion.refetch()} />
  return (
    <div role="status" aria-label="Loading your request">
      <Skeleton height="12rem" />
    </div>
  )
}

function Unknown() {
  return (
    <Notice level={1} title="There is no such request">
      <p>Open the link that Facebook shows. It works for 30 days.</p>
    </Notice>
  )
}
