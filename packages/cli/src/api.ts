import { z, type ZodType } from 'zod'
import { resolveAddress } from './endpoint.ts'
import { CommandError, usage, type Io } from './io.ts'
import { exchange } from './request.ts'
import { createResponseError, tryParseJson } from './response.ts'

/** The address of the API and the credentials. */
export interface ApiOptions {
  /** The address of the server. */
  readonly url?: string
  /** The access token of an admin. @default SALLYPORT_TOKEN */
  readonly token?: string
  /** Whether to print the response as JSON. @default false */
  readonly json?: boolean
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST'
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
  const address = resolveAddress(options.url, io.env)
  const base = address.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  const token = readToken(options, io)
  const response = await exchange(
    new URL(`${base}/api/v1${path}`, address),
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
  throw createResponseError(response, 'that of the API', getHint)
}

/** Returns the schema of an envelope with one resource. */
export const envelopeSchema = <Data>(data: ZodType<Data>) => z.object({ data })

function readToken({ token }: ApiOptions, { env }: Io): string {
  const given = token ?? env['SALLYPORT_TOKEN'] ?? ''
  // The message omits the token, because it may be a valid token with a typing error.
  if (/^[\x21-\x7e]+$/.test(given)) return given
  throw new CommandError(
    usage,
    given === '' ? 'The access token is missing' : 'The access token has invalid characters',
    'Set SALLYPORT_TOKEN or --token to the access_token of an admin from POST /api/v1/sessions.',
  )
}

function getHint(code: string): string | undefined {
  switch (code) {
    case 'TOKEN_MISSING':
    case 'INVALID_TOKEN':
      return 'Access tokens are valid for 15 minutes: log in again with POST /api/v1/sessions, and set SALLYPORT_TOKEN.'
    case 'FORBIDDEN':
      return 'Deliveries are for admins: use the token of an admin.'
    case 'INTERNAL_ERROR':
      return "See the server's log for the cause."
    default:
      return undefined
  }
}
