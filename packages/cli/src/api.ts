import { z, type ZodType } from 'zod'
import { parsed, refusalOf } from './answer.ts'
import { addressOf } from './endpoint.ts'
import { CommandError, usage, type Io } from './io.ts'
import { exchange } from './post.ts'

/** Where the API is, and who is calling. */
export interface ApiOptions {
  /** The server's address. */
  readonly url?: string
  /** The access token of an admin. @default SALLYPORT_TOKEN */
  readonly token?: string
  /** Whether to print what the API answers. @default false */
  readonly json?: boolean
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  /** Under `/api/v1`, with its query. */
  readonly path: string
  readonly json?: unknown
}

// A delivery is shown with its body, of up to 25 MiB and more as JSON; a replay of many takes seconds.
const patience = { timeoutMs: 60_000, maximumAnswer: 256 * 1024 * 1024 }

/**
 * Asks the API.
 *
 * @returns the body of the answer
 * @throws CommandError when there is no token, the request is refused, or the answer is not as the schema says
 */
export async function ask<Body>(
  { method, path, json }: ApiRequest,
  schema: ZodType<Body>,
  options: ApiOptions,
  io: Io,
): Promise<Body> {
  const address = addressOf(options.url, io.env)
  const base = address.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  const token = tokenOf(options, io)
  const answer = await exchange(
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
    patience,
    io,
  )
  const body = schema.safeParse(parsed(answer.body))
  if (answer.status < 300 && body.success) return body.data
  throw refusalOf(answer, 'that of the API', hintFor)
}

/** A schema of the envelope of one resource. */
export const dataOf = <Data>(data: ZodType<Data>) => z.object({ data })

function tokenOf({ token }: ApiOptions, { env }: Io): string {
  const given = token ?? env['SALLYPORT_TOKEN'] ?? ''
  // The token itself is not shown: it could be a typing error in a good one.
  if (/^[\x21-\x7e]+$/.test(given)) return given
  throw new CommandError(
    usage,
    given === '' ? 'There is no access token' : 'The access token holds what none can hold',
    'Set SALLYPORT_TOKEN, or --token, to the access_token that POST /api/v1/sessions gives an admin.',
  )
}

function hintFor(code: string): string | undefined {
  switch (code) {
    case 'TOKEN_MISSING':
    case 'INVALID_TOKEN':
      return 'Access tokens last for 15 minutes: log in again with POST /api/v1/sessions, and set SALLYPORT_TOKEN.'
    case 'FORBIDDEN':
      return 'Deliveries are for admins: use the token of one.'
    case 'INTERNAL_ERROR':
      return "The server's log tells why."
    default:
      return undefined
  }
}
