import { useMailedToken } from '#/features/account/mailed-link'
import { ResetPassword } from '#/features/account/ResetPassword'
import { PageTitle } from '#/features/site/PageTitle'

/** The page of the link that is mailed to a reader who has lost their password. */
export function ResetPasswordPage() {
  const token = useMailedToken()
  return (
    <>
      <PageTitle page="New password" />
      <ResetPassword key={token} token={token} />
    </>
  )
}
