import { z, type ZodType } from 'zod'
import { connect, type Connection } from './connection.ts'
import { tryParseJson, type Io } from './io.ts'
import { exchange } from './request.ts'
import { createResponseError } from './response.ts'

/** The address of the API and the credentials. */
export interface ApiOptions {
  /** The address of the server. @default SALLYPORT_URL, or the address of the login */
  readonly url?: string
  /** An API key or an access token. @default SALLYPORT_KEY, SALLYPORT_TOKEN, or the login */
  readonly token?: string
  /** Whether to print the response as JSON. @default false */
  readonly json?: boolean
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path under `/api/v1`, with its query. */
  readonly path: string
  readonly json?: unknown
}

// A response with a delivery has its body of up to 25 MiB, and a bulk replay takes seconds.
const limits = { timeoutMs: 60_000, maxResponseBytes: 256 * 1024 * 1024 }

/**
 * Sends a request to the API.
 *
 * @returns the parsed body of the response
 * @throws CommandError if the token is missing, the API rejects the request, or the response does not match the schema
 */
export async function requestApi<Body>(
  { method, path, json }: ApiRequest,
  schema: ZodType<Body>,
  options: ApiOptions,
  io: Io,
): Promise<Body> {
  return await request(await connect(options, io), { method, path, json }, schema, io)
}

/**
 * Sends a request to the API over a connection.
 *
 * @returns the parsed body of the response
 * @throws CommandError as `requestApi`
 */
export async function request<Body>(
  { resolve, getToken }: Connection,
  { method, path, json }: ApiRequest,
  schema: ZodType<Body>,
  io: Io,
): Promise<Body> {
  const token = await getToken()
  const response = await exchange(
    resolve(path),
    {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'user-agent': 'sallyport',
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    },
    limits,
    io,
  )
  const body = schema.safeParse(tryParseJson(response.body))
  if (response.status < 300 && body.success) return body.data
  throw createResponseError(response, 'that of the API', getApiHint)
}

/**
 * Repeats a request that changes some events at a time, until none is left, and returns their number.
 *
 * @throws CommandError as `requestApi`
 */
export async function changeEvents(details: ApiRequest, options: ApiOptions, io: Io): Promise<number> {
  let events = 0
  for (let more = true; more;) {
    const { data } = await requestApi(details, changedEvents, options, io)
    events += data.events
    more = data.more
  }
  return events
}

/** Returns the schema of an envelope with one resource. */
export const envelopeSchema = <Data>(data: ZodType<Data>) => z.object({ data })

export const changedEvents = envelopeSchema(z.object({ events: z.number(), more: z.boolean() }))

/** Returns a hint for an error code of the API. */
export function getApiHint(code: string, message: string): string | undefined {
  switch (code) {
    case 'NOT_FOUND':
      return message === 'The path does not exist'
        ? 'The server does not have this feature, its settings turn it off, or --url has another path.'
        : undefined
    case 'TOKEN_MISSING':
    case 'INVALID_TOKEN':
      return 'The key or the token is not valid any more: log in again with sallyport login.'
    case 'FORBIDDEN':
      return 'Use the account of an admin, or an API key with the needed scope.'
    case 'INTERNAL_ERROR':
      return "See the server's log for the cause."
    default:
      return undefined
  }
}
