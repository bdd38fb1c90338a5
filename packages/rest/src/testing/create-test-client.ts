import type { Api } from '../api/api-options.ts'
import { createClient, type Client, type ClientOptions } from '../client/client.ts'
import { createFetchHandler } from '../fetch/fetch-handler.ts'

/**
 * Creates a typed client that calls an API in process.
 *
 * @example
 * ```ts
 * import { createApi, createRouteGroup } from '@sallyport/rest'
 * import { createTestClient } from '@sallyport/rest/testing'
 * import { z } from 'zod'
 *
 * const route = createRouteGroup({ access: 'public' })
 * const api = createApi({
 *   routes: [route.get('/ping', { operationId: 'ping', data: z.string() }, () => 'pong')],
 * })
 * const result = await createTestClient(api).get('/ping')
 * if (result.ok) console.log(result.data)
 * ```
 */
export const createTestClient = <Tested extends Api>(
  api: Tested,
  options: Omit<ClientOptions, 'baseUrl' | 'fetch'> = {},
): Client<Tested> =>
  createClient<Tested>({ ...options, baseUrl: 'http://localhost', fetch: createFetchHandler(api) })
