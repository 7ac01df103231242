import { useMailedToken } from '#/features/account/mailed-link'
import { ResetPassword } from '#/features/account/ResetPassword'
import { PageTitle } from '#/features/site/PageTitle'

/** The page behind a mailed password-reset link. */
export function ResetPasswordPage() {
  const token = useMailedToken()
  return (
    <>
      <PageTitle page="New password" />
      <ResetPassword key={token} token={token} />
    </>
  )
}
