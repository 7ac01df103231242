import { useState } from 'react'
import { PasskeyOffer } from '#/features/account/PasskeyOffer'
import { loadPage } from '#/lib/site-path'
import { Dialog } from '#/ui/Dialog'
import { closeDialogs, useAuthDialogs } from './dialogs'
import { LoginForm } from './LoginForm'
import { ResetForm } from './ResetForm'
import { SignUpForm } from './SignUpForm'

/** Each form is unmounted with its dialog, which clears its errors. */
export default function AuthDialogs() {
  const current = useAuthDialogs()
  // A closing dialog keeps its words while it fades out.
  const [dialogs, setDialogs] = useState(current)
  if (current.open !== null && current !== dialogs) setDialogs(current)
  const { open } = current
  // The page has not been reloaded since the sign-up.
  const continueToPage = (): void => loadPage(dialogs.next ?? '/')
  return (
    <>
      <Dialog
        title={dialogs.relogin?.reason === 'proof' ? 'Log in again' : 'Sign up or Log in'}
        isOpen={open === 'login'}
        onClose={closeDialogs}
      >
        <LoginForm dialogs={dialogs} />
      </Dialog>
      <Dialog title="Create your free account" isOpen={open === 'signup'} onClose={closeDialogs}>
        <SignUpForm dialogs={dialogs} />
      </Dialog>
      <Dialog title="Reset your password" isOpen={open === 'reset'} onClose={closeDialogs}>
        <ResetForm />
      </Dialog>
      <Dialog
        title="Log in without a password?"
        isOpen={open === 'passkey'}
        onClose={continueToPage}
      >
        <PasskeyOffer onDone={continueToPage} />
      </Dialog>
    </>
  )
}
