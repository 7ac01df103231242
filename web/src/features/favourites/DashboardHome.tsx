import { useQuery } from '@tanstack/react-query'
import { meOptions } from '#/features/session/queries'
import { PageHead } from '#/ui/PageHead'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import styles from './DashboardHome.module.css'
import { favouriteCountsOptions } from './queries'

export function DashboardHome() {
  const me = useQuery(meOptions())
  const counts = useQuery(favouriteCountsOptions())
  if (me.isError || counts.isError) {
    const retry = (): void => {
      void me.refetch()
      void counts.refetch()
    }
    return <Retry onRetry={retry} />
  }
  return (
    <>
      <PageHead
        title={me.data?.first_name ? `Hello, ${me.data.first_name}` : 'Your dashboard'}
        deck={me.data?.email ?? ''}
      />
      {counts.isPending ? (
        <Skeleton width="14rem" height="7rem" />
      ) : (
        <SiteLink className={styles.count} href="/accounts/dashboard#/favourites/">
          <b>{counts.data.favourites.toLocaleString()}</b>
          <span>{counts.data.favourites === 1 ? 'favourite' : 'favourites'}</span>
        </SiteLink>
      )}
    </>
  )
}
