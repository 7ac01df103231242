import { HistoryCache } from '#/lib/history-cache'
import { sessionStore } from '#/lib/storage'
import { queryClient, session } from './current'

/** The history cache of this tab, which is cleared when the reader changes. */
export const historyCache = new HistoryCache(sessionStore, queryClient)

session.state.subscribe(() => {
  const state = session.state.get()
  if (state.status !== 'checking') {
    historyCache.setOwner(state.status === 'member' ? state.id : null)
  }
})
