import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/print.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { favourites } from './features/favourites/favourites'
import { queryClient, session, watchSession } from './features/session/current'
import { keepCurrent } from './features/session/follow'
import { takeIntentOutOfAddress } from './features/auth/returned-intent'
import { router } from './router'

takeIntentOutOfAddress()
watchSession()
keepCurrent(favourites)
void session.start()
router.subscribe('onResolved', () => session.touch())

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
