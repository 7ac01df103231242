import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { FacebookDeletion } from '#/api/types'
import { facebookDeletionOptions } from '#/features/account/queries'
import { PageTitle } from '#/features/site/PageTitle'
import { useSite } from '#/features/site/site'
import { formatMoment, parseInstant } from '#/lib/time'
import { Loaded } from '#/ui/Loaded'
import { Notice } from '#/ui/Notice'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'

const DONE: Record<FacebookDeletion['outcome'], string> = {
  'nothing-stored': 'No account here was connected with this Facebook account.',
  disconnected:
    'We have deleted what came from Facebook. The account here, which has another way to log in, stays; its owner can delete it in the profile.',
  'account-erased':
    'We have deleted the account that Facebook logged in to, with everything that belonged to it. A receipt was mailed.',
}

/** The outcome of a deletion that was requested at Facebook. The address's hash is its code. */
export function FacebookDeletionPage() {
  const code = useLocation({ select: (location) => location.hash })
  return (
    <>
      <PageTitle page="Data from Facebook" />
      {code ? <DeletionByCode code={code} /> : <UnknownRequest />}
    </>
  )
}

function DeletionByCode({ code }: { code: string }) {
  const { timezone } = useSite()
  const deletion = useQuery(facebookDeletionOptions(code))
  return (
    <Loaded
      query={deletion}
      notFound={<UnknownRequest />}
      skeleton={
        <Placeholder what="your request">
          <Skeleton height="12rem" />
        </Placeholder>
      }
    >
      {({ outcome, date_requested: at }) => (
        <Notice level={1} title="Your request has been carried out">
          <p>{DONE[outcome]}</p>
          {at && <p>You asked on {formatMoment(parseInstant(at), timezone)}.</p>}
        </Notice>
      )}
    </Loaded>
  )
}

function UnknownRequest() {
  return (
    <Notice level={1} title="There is no such request">
      <p>Open the link that Facebook shows. It works for 30 days.</p>
    </Notice>
  )
}
