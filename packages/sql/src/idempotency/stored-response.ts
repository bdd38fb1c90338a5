import { SallyportError } from '@sallyport/errors'
import type { StoredResponse } from '@sallyport/rest'

/**
 * The response that a record keeps.
 *
 * @throws SallyportError `INTERNAL_ERROR` when it is no JSON any more: what the parser says would quote the response
 */
export function readResponse(json: string): StoredResponse {
  try {
    return JSON.parse(json) as StoredResponse
  } catch {
    throw new SallyportError(
      'INTERNAL_ERROR',
      'A kept response cannot be read as JSON: delete its row of idempotency_records, or wait until it has expired',
    )
  }
}
