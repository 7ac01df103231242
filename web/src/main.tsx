import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/mailed.css'
import './styles/print.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { followAccount } from './features/consent/account'
import { enabledKinds } from './features/saved/kinds'
import { followedMaps } from './features/saved/saved'
import { queryClient, session, watchSession } from './features/session/current'
import { keepCurrent } from './features/session/follow'
import { closePanelsOnLeaving } from './features/site/chrome'
import { siteInPage } from './features/site/site'
import { takeFacebookOutOfAddress } from './features/auth/facebook'
import { takeIntentOutOfAddress } from './features/auth/returned-intent'
import { takeOver } from './lib/taking-over'
import { router } from './router'
import { preloadFirst } from './routes/ahead'
import { leaveWhenSignedOut } from './routes/guards'
import { followSignUpAddress } from './routes/sign-up-address'

takeIntentOutOfAddress()
takeFacebookOutOfAddress()
watchSession()
keepCurrent(followedMaps(enabledKinds(siteInPage())))
void session.start()
void followAccount()
closePanelsOnLeaving(router)
followSignUpAddress(router)
leaveWhenSignedOut(router)
router.subscribe('onResolved', () => session.touch())

/**
 * The first page's code is fetched before anything is rendered: the server's markup stays until the
 * application can replace it at once, without a skeleton in between.
 */
async function begin(container: HTMLElement): Promise<void> {
  // A guard may lead to another address, which is loaded too: until the application is rendered, nothing else
  // follows the address.
  const unfollow = router.history.subscribe(() => void router.load())
  // Errors are shown by the component that needs the data.
  await Promise.allSettled([router.load(), preloadFirst(window.location.pathname)])
  unfollow()
  const application = (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )
  takeOver(container, () => flushSync(() => createRoot(container).render(application)))
}

const root = document.getElementById('root')
if (root) void begin(root)
