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
import { syncConsent } from './features/consent/account'
import { keepPages } from './features/offline/offline'
import { enabledKinds } from './features/saved/kinds'
import { syncedMaps } from './features/saved/saved'
import { queryClient, session, watchSession } from './features/session/current'
import { syncMaps } from './features/session/sync-maps'
import { closePanelsOnLeaving } from './features/site/chrome'
import { siteInPage } from './features/site/site'
import { measureWhenIdle } from './features/telemetry/start'
import { removeFacebookFromAddress } from './features/auth/facebook'
import { removeIntentFromAddress } from './features/auth/returned-intent'
import { replaceMarkup } from './lib/replace-markup'
import { router } from './router'
import { preloadFirstPage } from './routes/prefetch'
import { leaveWhenSignedOut } from './routes/guards'
import { followSignUpAddress } from './routes/sign-up-address'

removeIntentFromAddress()
removeFacebookFromAddress()
watchSession()
syncMaps(syncedMaps(enabledKinds(siteInPage())))
void session.start()
void syncConsent()
closePanelsOnLeaving(router)
followSignUpAddress(router)
leaveWhenSignedOut(router)
router.subscribe('onResolved', () => session.touch())
measureWhenIdle(async () => (await import('./routes/measure')).measurePages(router))
if (import.meta.env.PROD) {
  keepPages((opened) =>
    router.subscribe('onResolved', ({ toLocation }) => opened(toLocation.pathname)),
  )
}

/**
 * Loads the first page's code before rendering: the server's markup stays until the application can
 * replace it without a skeleton.
 */
async function start(container: HTMLElement): Promise<void> {
  // A guard may redirect to another address, which must be loaded too: before the first render
  // nothing else follows the address.
  const unfollow = router.history.subscribe(() => void router.load())
  // The component that needs the data reports errors.
  await Promise.allSettled([router.load(), preloadFirstPage(window.location.pathname)])
  unfollow()
  const application = (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )
  replaceMarkup(container, () => flushSync(() => createRoot(container).render(application)))
}

const root = document.getElementById('root')
if (root) void start(root)
