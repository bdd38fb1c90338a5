import { SallyportError } from '@sallyport/errors'
import type { StoredResponse } from '@sallyport/rest'

/**
 * Parses the stored response.
 *
 * @throws SallyportError `INTERNAL_ERROR` for unreadable JSON, without the parser's message, which quotes the response
 */
export function readResponse(json: string): StoredResponse {
  try {
    return JSON.parse(json) as StoredResponse
  } catch {
    throw new SallyportError(
      'INTERNAL_ERROR',
      'A stored response cannot be read as JSON: delete its row of idempotency_records, or wait until it expires',
    )
  }
}
