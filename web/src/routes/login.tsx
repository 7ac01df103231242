import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { openLogin, openSignUp } from '#/features/auth/dialogs'
import { useSession } from '#/features/session/current'
import { useSite } from '#/features/site/site'
import { useDocumentTitle } from '#/lib/document-title'
import { loadPage, sitePath } from '#/lib/site-path'
import { Button } from '#/ui/Button'
import { Notice } from '#/ui/Notice'
import { Skeleton } from '#/ui/Skeleton'

const HOME = '/accounts/dashboard#/home/'

export function LoginPage() {
  const site = useSite()
  const session = useSession()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const wanted = typeof search.next === 'string' ? search.next : undefined
  const next = sitePath(wanted, HOME)
  useDocumentTitle('Log in', site.name)

  useEffect(() => {
    if (session.status === 'guest' && !('signupDialogActive' in search)) openLogin(undefined, next)
    if (session.status === 'member') loadPage(next)
    // Only what is known of the reader opens the dialog or leads on; not a change of the address.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [session.status])

  if (session.status !== 'guest') return <Skeleton height="12rem" />
  return (
    <Notice level={1} title="Log in to keep what you like">
      <p>
        Your favourites wait behind your account, on every device you read {site.name} on. It is
        free.
      </p>
      <Button onClick={() => openLogin(undefined, next)}>Log in</Button>
      <Button look="outline" onClick={() => openSignUp(next)}>
        Sign up
      </Button>
    </Notice>
  )
}
