import { useLocation } from '@tanstack/react-router'
import { useMailedToken } from '#/features/account/mailed-link'
import { ResetPassword } from '#/features/account/ResetPassword'
import { PageTitle } from '#/features/site/PageTitle'

/** The page behind a mailed password-reset link. */
export function ResetPasswordPage() {
  const token = useMailedToken()
  // Whether the link undoes a change of the email address.
  const isUndo = useLocation({ select: ({ search }) => 'undo' in search })
  return (
    <>
      <PageTitle page={isUndo ? 'Restore your email address' : 'New password'} />
      <ResetPassword key={token} token={token} isUndo={isUndo} />
    </>
  )
}
