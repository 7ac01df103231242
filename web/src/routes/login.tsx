import { useSearch } from '@tanstack/react-router'
import { openLogin, openSignUp } from '#/features/auth/dialogs'
import { useFacebookReturn } from '#/features/auth/facebook'
import { HOME } from '#/features/dashboard/address'
import { PageTitle } from '#/features/site/PageTitle'
import { sitePath } from '#/lib/site-path'
import { Button } from '#/ui/Button'
import { Notice } from '#/ui/Notice'
import { nextAddress } from './search-params'

export function LoginPage() {
  const search = nextAddress(useSearch({ strict: false }))
  const next = sitePath(search.next, HOME)
  const { failure } = useFacebookReturn()

  return (
    <>
      <PageTitle page="Log in" />
      <Notice level={1} title="Log in to save what you like">
        {failure && <p role="alert">{failure}</p>}
        <p>An account is free, and your favourites are there on every device you use.</p>
        <Button onClick={() => openLogin(undefined, next)}>Log in</Button>
        <Button look="outline" onClick={() => openSignUp(next)}>
          Sign up
        </Button>
      </Notice>
    </>
  )
}
