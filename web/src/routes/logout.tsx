import { useSearch } from '@tanstack/react-router'
import { Outcome } from '#/features/account/Outcome'
import { useLogout } from '#/features/auth/mutations'
import { useSession } from '#/features/session/current'
import { PageTitle } from '#/features/site/PageTitle'
import { sitePath } from '#/lib/site-path'
import { Button } from '#/ui/Button'
import { Notice } from '#/ui/Notice'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import { isErased, nextAddress } from './search-params'

/** Confirms that the reader is logged out. Only the page's button logs out, not the visit. */
export function LogoutPage() {
  const session = useSession()
  const query = useSearch({ strict: false })
  const search = nextAddress(query)
  const next = sitePath(search.next, '/')
  const logout = useLogout(next)

  if (session.status === 'checking') return <Skeleton height="12rem" />
  if (session.status === 'member') {
    return (
      <Notice level={1} title="You are still logged in">
        <PageTitle page="Log out" />
        <Button isBusy={logout.isPending} onClick={() => logout.mutate()}>
          Log out now
        </Button>
        <SiteLink href={next}>Stay logged in and go back</SiteLink>
      </Notice>
    )
  }
  if (isErased(query)) {
    return (
      <Outcome title="Your account is deleted">
        <PageTitle page="Log out" />
        <p>
          Everything that belonged to it is gone within a minute. We mail you a receipt of what was
          deleted.
        </p>
        <SiteLink href="/">To the front page</SiteLink>
      </Outcome>
    )
  }
  return (
    <>
      <PageTitle page="Log out" />
      <Notice level={1} title="You are logged out">
        <p>
          Nothing personal is left in this browser. Your favourites are still there when you log in
          again.
        </p>
        <SiteLink href={next}>
          {next === '/' ? 'To the front page' : 'Back to where you were'}
        </SiteLink>
      </Notice>
    </>
  )
}
