import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Contest } from '#/api/types'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { AgeGated } from '#/features/age-gate/AgeGated'
import { ContestPicture } from '#/features/contests/ContestCard'
import { Entry, ENTRY } from '#/features/contests/Entry'
import { SUCCESS } from '#/features/contests/EntryForm'
import { contestOptions, gatedContestOptions, useEnter } from '#/features/contests/queries'
import { stageOf, timeLeft } from '#/features/contests/stage'
import { ItemText } from '#/features/pages/ItemText'
import { NewsletterPanel } from '#/features/newsletters/NewsletterPanel'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { systemClock } from '#/lib/time'
import buttons from '#/ui/Button.module.css'
import { Detail, DetailSkeleton } from '#/ui/Detail'
import { Fact, Facts } from '#/ui/Facts'
import { Prose } from '#/ui/Prose'
import { SectionHeading } from '#/ui/SectionHeading'
import { ShareLinks } from '#/ui/ShareLinks'
import { SiteLink } from '#/ui/SiteLink'
import { LoadedPage } from './LoadedPage'
import styles from './contest.module.css'

export function prefetch(client: QueryClient, { id }: ResolvedPageProps): Promise<unknown> {
  return client.query(contestOptions(id))
}

export function ContestPage({ id }: ResolvedPageProps) {
  const contest = useQuery(contestOptions(id))
  return (
    <LoadedPage query={contest} skeleton={<DetailSkeleton what="the contest" />}>
      {(loaded) => (
        <AgeGated
          item={loaded}
          isRestricted={loaded.is_age_restricted}
          whole={(headers) => gatedContestOptions(id, headers)}
        >
          {(contest, isAllowed) => <Ready contest={contest} isAllowed={isAllowed} />}
        </AgeGated>
      )}
    </LoadedPage>
  )
}

interface ReadyProps {
  contest: Contest
  /** Whether the reader may see the contest's question and form. */
  isAllowed: boolean
}

function Ready({ contest, isAllowed }: ReadyProps) {
  const site = useSite()

  const [now] = useState(() => systemClock.now())
  const stage = stageOf(contest, now)
  const enter = useEnter(contest.id)
  const closes = contest.closes_on
  const about = { page: 'contest', tags: contest.tags.map((tag) => tag.slug) } as const
  return (
    <AdPage about={contest.is_age_restricted ? null : about}>
      <PageTitle page={contest.name} />
      <Detail
        name={contest.name}
        kicker={
          <>
            <SiteLink href="/contests/">Contests</SiteLink>
            <span>{enter.isSuccess ? SUCCESS : timeLeft(contest, now, site.timezone)}</span>
          </>
        }
        deck={contest.excerpt || undefined}
        share={<ShareLinks path={contest.share_url} title={contest.name} />}
        picture={<ContestPicture contest={contest} isFirst />}
        side={
          <aside aria-label="About this contest">
            <Facts>
              {stage === 'upcoming' && (
                <Fact name="Opens">
                  <time dateTime={contest.opens_at ?? undefined}>{contest.opens_on}</time>
                </Fact>
              )}
              {closes && (
                <Fact name={stage === 'closed' ? 'Closed' : 'Closes'}>
                  <time dateTime={contest.closes_at ?? undefined}>{closes}</time>
                </Fact>
              )}
              {isAllowed && stage !== 'open' && contest.question && (
                <Fact name="Question">{contest.question}</Fact>
              )}
            </Facts>
            {stage === 'open' && isAllowed && !enter.isSuccess && (
              <a
                className={`${buttons.button} ${buttons.solid} ${styles.enter}`}
                href={`#${ENTRY}`}
              >
                Enter the contest
              </a>
            )}
          </aside>
        }
      >
        <ItemText item={contest} />
        {contest.rules && (
          <section>
            <SectionHeading>Rules</SectionHeading>
            <Prose html={contest.rules} />
          </section>
        )}
        {isAllowed && <Entry contest={contest} stage={stage} enter={enter} />}
      </Detail>
      <AdSpot at="lead" />
      <AdSpot at="end" />
      <NewsletterPanel type="contests" />
    </AdPage>
  )
}
