import { useSearch } from '@tanstack/react-router'
import { useLogout } from '#/features/auth/mutations'
import { useSession } from '#/features/session/current'
import { useSite } from '#/features/site/site'
import { useDocumentTitle } from '#/lib/document-title'
import { sitePath } from '#/lib/site-path'
import { Button } from '#/ui/Button'
import { Notice } from '#/ui/Notice'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import { nextAddress } from './search-params'

/** Confirms that the reader is logged out. Visiting the page never logs out; its button does. */
export function LogoutPage() {
  const site = useSite()
  const session = useSession()
  const search = nextAddress(useSearch({ strict: false }))
  const next = sitePath(search.next, '/')
  const logout = useLogout(next)
  useDocumentTitle('Log out', site.name)

  if (session.status === 'checking') return <Skeleton height="12rem" />
  if (session.status === 'member') {
    return (
      <Notice level={1} title="You are still logged in">
        <Button isBusy={logout.isPending} onClick={() => logout.mutate()}>
          Log out now
        </Button>
        <SiteLink href={next}>Stay logged in and go back</SiteLink>
      </Notice>
    )
  }
  return (
    <Notice level={1} title="You are logged out">
      <p>
        Nothing personal is left in this browser. Your favourites are still there when you log in
        again.
      </p>
      <SiteLink href={next}>
        {next === '/' ? 'To the front page' : 'Back to where you were'}
      </SiteLink>
    </Notice>
  )
}
