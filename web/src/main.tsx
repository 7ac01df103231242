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
import { registerSaved } from './features/saved/use-saved'
import { mayBeMember, queryClient, session, watchSession } from './features/session/current'
import { closePanelsOnLeaving } from './features/site/chrome'
import { measureWhenIdle } from './features/telemetry/start'
import { prepareApi } from './lib/api'
import { online } from './lib/online'
import { replaceMarkup } from './lib/replace-markup'
import { whenIdle } from './lib/when-idle'
import { router } from './router'
import { preloadFirstPage } from './routes/prefetch'
import { leaveWhenSignedOut } from './routes/guards'
import { prepareSkeletons } from './routes/skeletons'
import { followSignUpAddress } from './routes/sign-up-address'

watchSession()
registerSaved()
void session.start()
void syncConsent()
closePanelsOnLeaving(router)
followSignUpAddress(router)
leaveWhenSignedOut(router)
router.subscribe('onResolved', () => session.touch())
whenIdle(() => void prepareApi())
whenIdle(prepareSkeletons)
measureWhenIdle(async () => (await import('./routes/measure')).measurePages(router))
if (import.meta.env.PROD) {
  keepPages((opened) =>
    router.subscribe('onResolved', ({ toLocation }) => opened(toLocation.pathname)),
  )
}

/** A guest has no saved things, and the first click of a guest leads to a log-in, which loads a page. */
const followSaved = online(async () =>
  (await import('./features/saved/follow-saved')).followSaved(),
)

/** The parameters with which a log-in elsewhere returns to a page. */
const RETURN_PARAMETERS = ['facebook', 'post_authenticate_action']

/** Removes the result of a log-in elsewhere from the address, before the router reads it. */
async function removeReturnFromAddress(): Promise<void> {
  const parameters = new URLSearchParams(window.location.search)
  if (!RETURN_PARAMETERS.some((name) => parameters.has(name))) return
  const [intent, facebook] = await Promise.all([
    import('./features/auth/returned-intent'),
    import('./features/auth/facebook'),
  ])
  intent.removeIntentFromAddress()
  facebook.removeFacebookFromAddress()
}

/**
 * Loads the first page's code before rendering: the server's markup stays until the application can
 * replace it without a skeleton.
 */
async function start(container: HTMLElement): Promise<void> {
  // The address stays as it is if the code does not load.
  await removeReturnFromAddress().catch(() => undefined)
  // A guard may redirect to another address, which must be loaded too: before the first render
  // nothing else follows the address.
  const unfollow = router.history.subscribe(() => void router.load())
  // The component that needs the data reports errors.
  await Promise.allSettled([
    router.load(),
    preloadFirstPage(window.location.pathname),
    mayBeMember() && followSaved(),
  ])
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
