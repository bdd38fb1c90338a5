import { apiAddress } from '../api/client.ts'
import { boundedFetch } from '../api/bounded-fetch.ts'
import { toApiError } from '../api/errors.ts'
import { resolveAddress, settings } from '../settings.ts'

/** A header that other sites cannot send. The host requires it with a cookie. */
const protection = { 'X-CSRF-Protection': '1' } as const

async function send(method: 'POST' | 'DELETE', body?: object): Promise<void> {
  const address = settings.login.kind === 'sessions' ? resolveAddress(settings.login.address) : apiAddress
  const response = await boundedFetch(
    new Request(address, {
      method,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...protection },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  if (!response.ok) throw toApiError(await response.json().catch(() => undefined), response)
}

/** Creates a session. The host sets its cookie, which scripts cannot read. */
export const logIn = (email: string, password: string): Promise<void> => send('POST', { email, password })

/** Ends the session. */
export const logOut = (): Promise<void> => send('DELETE')
