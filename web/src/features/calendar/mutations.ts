import { useMutation } from '@tanstack/react-query'
import { logInAgain, queryClient } from '#/features/session/current'
import { sessionKeys } from '#/features/session/keys'
import { meOptions } from '#/features/session/queries'
import { api, dataOf } from '#/lib/http'
import { leaveFor } from './authorization'
import { calendarOptions } from './queries'

/** Stores whether saved events go to the reader's own calendar. */
export function useChooseCalendar() {
  return useMutation(
    {
      mutationFn: (calendar_sync: boolean) =>
        dataOf(api.PUT('/api/v2/profiles/me/', { body: { calendar_sync } })),
      onSuccess: (profile) => queryClient.setQueryData(meOptions().queryKey, profile),
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Goes to the page that connects the calendar. */
export function useConnectCalendar() {
  return useMutation({ mutationFn: leaveFor, onError: logInAgain }, queryClient)
}

/** Ends the connection; the choice is open again. */
export function useDisconnectCalendar() {
  return useMutation(
    {
      mutationFn: () => api.DELETE('/api/v2/profiles/me/calendar/'),
      onSuccess: () => {
        const none = { is_connected: false, date_connected: null }
        queryClient.setQueryData(calendarOptions().queryKey, none)
        void queryClient.invalidateQueries({ queryKey: sessionKeys.me() })
      },
      onError: logInAgain,
    },
    queryClient,
  )
}
