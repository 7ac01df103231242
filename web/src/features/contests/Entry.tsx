import type { Contest } from '#/api/types'
import { Notice } from '#/ui/Notice'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { EntryForm } from './EntryForm'
import type { Entering } from './queries'
import type { Stage } from './stage'

/** The id of the form's heading. */
export const ENTRY = 'entry'

interface Props {
  contest: Contest
  stage: Stage
  enter: Entering
}

/** The entry form of a contest, or the reason why there is none. */
export function Entry({ contest, stage, enter }: Props) {
  if (stage === 'closed') {
    return (
      <Notice isEmpty title="This contest has closed">
        <p>Entries are closed. The winner is notified by email.</p>
        <SiteLink href="/contests/">See the other contests</SiteLink>
      </Notice>
    )
  }
  if (stage === 'upcoming') {
    return (
      <Notice title="Not open yet">
        <p>
          Entries are taken from{' '}
          <time dateTime={contest.opens_at ?? undefined}>{contest.opens_on}</time> on.
        </p>
        <SiteLink href="/contests/">See the other contests</SiteLink>
      </Notice>
    )
  }
  return (
    <section aria-labelledby={ENTRY}>
      <SectionHeading id={ENTRY}>Your entry</SectionHeading>
      <EntryForm contest={contest} enter={enter} />
    </section>
  )
}
