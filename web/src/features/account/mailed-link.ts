import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError } from '#/lib/http'

/**
 * The token of the mailed link, or an empty string. It is the address's hash, so no server logs it. It is removed
 * from the address and the history immediately, so that the next user of this browser does not find it.
 */
export function useMailedToken(): string {
  const { history } = useRouter()
  const { hash, pathname, searchStr } = useLocation()
  const [token, setToken] = useState(hash)
  // A second link in the same tab changes only the hash.
  if (hash && hash !== token) setToken(hash)
  useEffect(() => {
    if (hash) history.replace(pathname + searchStr)
  }, [history, hash, pathname, searchStr])
  return token
}

/** Whether the server refuses a link's token because it has expired or was used. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof ApiError && error.first('token') !== undefined
}
