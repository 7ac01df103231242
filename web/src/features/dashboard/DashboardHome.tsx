import { useIsOnline } from '#/lib/online'
import { grouped } from '#/lib/words'
import { useQuery } from '@tanstack/react-query'
import { CalendarFeed } from '#/features/account/FeedControls'
import { Facebook } from '#/features/account/FacebookControls'
import { Passkeys } from '#/features/account/PasskeyList'
import { CalendarSettings } from '#/features/calendar/CalendarSettings'
import { Profile } from '#/features/account/Profile'
import { Sessions } from '#/features/account/SessionList'
import { YourData } from '#/features/account/YourData'
import { enabledKinds, SAVED_KINDS } from '#/features/saved/kinds'
import { savedCountsOptions } from '#/features/saved/queries'
import { meOptions } from '#/features/session/queries'
import { useHasSection, useSite } from '#/features/site/site'
import { Offline } from '#/ui/Offline'
import { PageHead } from '#/ui/PageHead'
import { Placeholder } from '#/ui/Placeholder'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import styles from './DashboardHome.module.css'
import { HomeBlocks } from './HomeBlocks'
import { sectionHref, SECTIONS } from './sections'

export function DashboardHome() {
  const site = useSite()
  const kinds = enabledKinds(site)
  const hasPhotos = useHasSection('listings')
  // The reader may have confirmed an address in another tab.
  const me = useQuery({ ...meOptions(), staleTime: 0, refetchOnWindowFocus: true })
  const counts = useQuery(savedCountsOptions())
  const isOnline = useIsOnline()
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
  if (counts.isPending && !isOnline) {
    return (
      <>
        {head}
        <Offline />
      </>
    )
  }
  return (
    <>
      {head}
      <div className={styles.counts}>
        {counts.isPending && <Placeholder what="your counts" className="visually-hidden" />}
        {kinds.map((name) => {
          if (counts.isPending) return <Skeleton key={name} height="7rem" />
          return (
            <SiteLink key={name} className={styles.count} href={sectionHref(name)}>
              <b>{grouped(counts.data[SAVED_KINDS[name].count])}</b>
              <span>{SECTIONS[name].label}</span>
            </SiteLink>
          )
        })}
        {hasPhotos && counts.isPending && <Skeleton height="7rem" />}
        {hasPhotos && counts.data && (
          <SiteLink className={styles.count} href={sectionHref('photos')}>
            <b>{grouped(counts.data.photos)}</b>
            <span>{SECTIONS.photos.label}</span>
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
