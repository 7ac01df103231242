import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError } from '#/lib/http'

/**
 * The token of the mailed link that led here, or an empty string. It is the address's hash, so no server
 * logs it. It is removed from the address and the history as soon as it is read, so that the next person at
 * this browser does not find it.
 */
export function useMailedToken(): string {
  const { history } = useRouter()
  const { hash, pathname, searchStr } = useLocation()
  const [token, setToken] = useState(hash)
  // A second link that is opened in this tab changes the hash alone.
  if (hash && hash !== token) setToken(hash)
  useEffect(() => {
    if (hash) history.replace(pathname + searchStr)
  }, [history, hash, pathname, searchStr])
  return token
}

/** Whether the server refuses a link's token: it has expired, or was used. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof ApiError && error.first('token') !== undefined
}
