import { SallyportError } from '@sallyport/errors'

/** Creates the error for a request that the server has no capacity for: 503 `OVERLOADED` with `Retry-After`. */
export function createOverloadedError(message: string): SallyportError {
  return new SallyportError('OVERLOADED', message, { headers: { 'Retry-After': '1' } })
}
