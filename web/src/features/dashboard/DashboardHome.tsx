import { grouped } from '#/lib/words'
import { useQuery } from '@tanstack/react-query'
import { CalendarFeed } from '#/features/account/CalendarFeed'
import { Facebook } from '#/features/account/Facebook'
import { Passkeys } from '#/features/account/Passkeys'
import { CalendarSettings } from '#/features/calendar/CalendarSettings'
import { Profile } from '#/features/account/Profile'
import { Sessions } from '#/features/account/Sessions'
import { YourData } from '#/features/account/YourData'
import { PHOTOS_SECTION } from '#/features/photos/section'
import { enabledKinds, SAVED_KINDS } from '#/features/saved/kinds'
import { savedCountsOptions } from '#/features/saved/queries'
import { meOptions } from '#/features/session/queries'
import { useHasSection, useSite } from '#/features/site/site'
import { PageHead } from '#/ui/PageHead'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import styles from './DashboardHome.module.css'
import { DASHBOARD } from './address'
import { HomeBlocks } from './HomeBlocks'

export function DashboardHome() {
  const site = useSite()
  const kinds = enabledKinds(site)
  const hasPhotos = useHasSection('listings')
  // The reader confirms an address in another tab, and comes back.
  const me = useQuery({ ...meOptions(), staleTime: 0, refetchOnWindowFocus: true })
  const counts = useQuery(savedCountsOptions())
  const head = (
    <PageHead title={me.data?.first_name ? `Hello, ${me.data.first_name}` : 'Your dashboard'} />
  )
  if ((me.isError && !me.data) || counts.isError) {
    const retry = (): void => {
      void me.refetch()
      void counts.refetch()
    }
    return (
      <>
        {head}
        <Retry onRetry={retry} />
      </>
    )
  }
  return (
    <>
      {head}
      <div className={styles.counts}>
        {counts.isPending && (
          <span className="visually-hidden" role="status" aria-label="Loading your counts" />
        )}
        {kinds.map((name) => {
          const { count, dashboard } = SAVED_KINDS[name]
          if (counts.isPending) return <Skeleton key={name} height="7rem" />
          return (
            <SiteLink key={name} className={styles.count} href={`${DASHBOARD}#${dashboard.hash}`}>
              <b>{grouped(counts.data[count])}</b>
              <span>{dashboard.label}</span>
            </SiteLink>
          )
        })}
        {hasPhotos && counts.isPending && <Skeleton height="7rem" />}
        {hasPhotos && counts.data && (
          <SiteLink className={styles.count} href={`${DASHBOARD}#${PHOTOS_SECTION.hash}`}>
            <b>{grouped(counts.data.photos)}</b>
            <span>{PHOTOS_SECTION.label}</span>
          </SiteLink>
        )}
      </div>
      {counts.isSuccess && (
        <HomeBlocks counts={counts.data}>
          {me.data ? <Profile me={me.data} /> : <Skeleton height="12rem" />}
          <Passkeys />
          <Facebook />
          <Sessions />
          {site.has_calendars && me.data && kinds.includes('event-bookmark') && (
            <CalendarSettings me={me.data} />
          )}
          {kinds.includes('event-bookmark') && <CalendarFeed />}
          {me.data && <YourData me={me.data} />}
        </HomeBlocks>
      )}
    </>
  )
}
