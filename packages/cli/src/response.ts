import { z } from 'zod'
import { CommandError, failure, printable, TemporaryError, tryParseJson } from './io.ts'
import { secretName, type FoundSecret } from './secret.ts'

/** A response of the server. */
export interface ServerResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

const outcome = z.enum(['accepted', 'duplicate', 'ignored', 'quarantined'])
const accepted = z.object({
  data: z.object({
    status: outcome,
    events: z.array(z.object({ id: z.string(), name: z.string(), duplicate: z.boolean() })),
  }),
})
const refused = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  }),
})

/** The outcome of a delivery that the server accepted. */
export type Outcome = z.infer<typeof accepted>['data']

/**
 * Parses the response to a delivery.
 *
 * @throws CommandError if the delivery was rejected or the response is not that of a gateway
 */
export function parseOutcome(response: ServerResponse, provider: string, secret: FoundSecret): Outcome {
  const { status } = response
  const success = accepted.safeParse(tryParseJson(response.body))
  if (status === 200 && success.success) return success.data.data
  // A provider can require another response.
  const own = outcome.safeParse(response.headers.get('sallyport-status'))
  if (status < 300 && own.success) return { status: own.data, events: [] }

  throw createResponseError(response, 'that of a webhook gateway', (code) =>
    getHint(status, code, provider, secret),
  )
}

/**
 * Converts a response without success into an error for the user.
 *
 * @param expected - the source of a valid response
 * @param getHint - returns a hint for an error code
 */
export function createResponseError(
  { status, headers, body }: ServerResponse,
  expected: string,
  getHint: (code: string, message: string) => string | undefined,
): CommandError {
  const Failure = status >= 500 || status === 429 ? TemporaryError : CommandError
  const { data: refusal } = refused.safeParse(tryParseJson(body))
  if (refusal) {
    const { code, message, details = [] } = refusal.error
    const hint = getHint(code, message)
    return new Failure(
      failure,
      `${status} ${printable(code, 64)}: ${printable(message)}`,
      ...details.slice(0, 10).map((detail) => `${printable(detail.field, 64)}: ${printable(detail.message)}`),
      ...(hint === undefined ? [] : [hint]),
      ...retryHint(headers.get('retry-after')),
    )
  }
  if (status >= 300 && status < 400) {
    const location = headers.get('location')
    return new CommandError(
      failure,
      `${status}: the address redirects${location === null ? '' : ` to ${printable(location, 200)}`}`,
      'Senders of webhooks do not follow redirects: use the final address.',
    )
  }
  return new Failure(
    failure,
    `${status}, and the response is not ${expected}`,
    'Compare the address and its path with those of the Sallyport server, and set it with --url.',
  )
}

function getHint(status: number, code: string, provider: string, secret: FoundSecret): string | undefined {
  const name = secretName(provider)
  switch (code) {
    case 'INVALID_SIGNATURE':
      return (
        `The server verifies with another secret than ${secret.from}: set its ${name} to the same secret. ` +
        'If the provider signs the address, PUBLIC_URL of the server must match --url. ' +
        'If the provider signs a time, compare the clocks, or add --fresh, because a sample may have an old time.'
      )
    case 'UNKNOWN_PROVIDER':
      return `The server has no provider "${provider}": set ${name} there, add the provider to PROVIDERS if that is set, and restart the server.`
    case 'NOT_FOUND':
      return `The server has another path: set --url to its origin, or to the whole path, such as /webhooks/${provider}.`
    case 'RATE_LIMITED':
      return 'Too many deliveries from this address failed verification.'
    case 'PAYLOAD_TOO_LARGE':
      return 'The server limits the size of bodies with WEBHOOK_BODY_LIMIT.'
    default:
      return status >= 500 ? "See the server's log for the cause." : undefined
  }
}

/** Formats Retry-After, which is a number of seconds or a date. */
function retryHint(retryAfter: string | null): readonly string[] {
  if (retryAfter === null) return []
  const time = /^\d+$/.test(retryAfter) ? `in ${retryAfter} s` : `at ${printable(retryAfter, 40)}`
  return [`Try again ${time}.`]
}
