import { useMutation } from '@tanstack/react-query'
import { logInAgain, queryClient } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { api } from '#/lib/api'
import { dataOf } from '#/lib/http'
import { leaveFor } from './authorization'
import { calendarOptions } from './queries'

/** Stores whether saved events are added to the reader's own calendar. */
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

/** Opens the page that connects the calendar. */
export function useConnectCalendar() {
  return useMutation({ mutationFn: leaveFor, onError: logInAgain }, queryClient)
}

/** Ends the connection and clears the choice. */
export function useDisconnectCalendar() {
  return useMutation(
    {
      mutationFn: () => api.DELETE('/api/v2/profiles/me/calendar/'),
      onSuccess: () => {
        const none = { is_connected: false, date_connected: null }
        queryClient.setQueryData(calendarOptions().queryKey, none)
        void queryClient.invalidateQueries({ queryKey: meOptions().queryKey })
      },
      onError: logInAgain,
    },
    queryClient,
  )
}
