import { ConfirmEmail } from '#/features/account/ConfirmEmail'
import { useMailedToken } from '#/features/account/mailed-link'
import { PageTitle } from '#/features/site/PageTitle'

/** The page of the link that is mailed to a new address. */
export function ConfirmEmailPage() {
  const token = useMailedToken()
  return (
    <>
      <PageTitle page="Confirm your email" />
      <ConfirmEmail key={token} token={token} />
    </>
  )
}
