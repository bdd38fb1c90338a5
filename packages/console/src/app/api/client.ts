import createClient from 'openapi-fetch'
import { resolveAddress, settings } from '../settings.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { toApiError } from './errors.ts'
import type { components, paths } from './schema.ts'

/** The address of the API without a slash at its end. */
export const apiAddress = resolveAddress(settings.api)

/** The client of the operations API, with the types of its OpenAPI document. */
export const api = createClient<paths>({
  baseUrl: apiAddress,
  fetch: boundedFetch,
  credentials: 'same-origin',
  // Other sites cannot send the second header, so a host with cookies requires it.
  headers: { Accept: 'application/json', 'X-CSRF-Protection': '1' },
})

/**
 * Returns the body of a response.
 *
 * @throws ApiError for a status of 400 and above
 */
export async function unwrap<Body>(
  pending: Promise<{ data?: Body; error?: unknown; response: Response }>,
): Promise<Body> {
  const { data, error, response } = await pending
  if (!response.ok) throw toApiError(error, response)
  return data as Body
}

export type Schemas = components['schemas']
