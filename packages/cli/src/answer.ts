import { z } from 'zod'
import { CommandError, failure, printable } from './io.ts'
import { secretName, type FoundSecret } from './secret.ts'

/** What the server answered with. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

const accepted = z.object({
  data: z.object({
    status: z.enum(['accepted', 'duplicate', 'ignored', 'quarantined']),
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

/** What became of a delivery that was let in. */
export type Outcome = z.infer<typeof accepted>['data']

/**
 * Reads the answer to a delivery.
 *
 * @throws CommandError when the delivery was refused, or the answer is not a gateway's
 */
export function outcomeOf(answer: Answer, provider: string, secret: FoundSecret): Outcome {
  const { status } = answer
  const success = accepted.safeParse(parsed(answer.body))
  if (status === 200 && success.success) return success.data.data

  throw refusalOf(answer, 'that of a webhook gateway', (code) => hintFor(status, code, provider, secret))
}

/**
 * What a user is told of an answer that is no success.
 *
 * @param expected - what a good answer would have been
 * @param hintFor - what to do about a code
 */
export function refusalOf(
  { status, headers, body }: Answer,
  expected: string,
  hintFor: (code: string) => string | undefined,
): CommandError {
  const { data: refusal } = refused.safeParse(parsed(body))
  if (refusal) {
    const { code, message, details = [] } = refusal.error
    const hint = hintFor(code)
    return new CommandError(
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
      'Redirects are not followed, as senders of webhooks do not follow them either. Use the final address.',
    )
  }
  return new CommandError(
    failure,
    `${status}, and the answer is not ${expected}`,
    'Is this the address of a Sallyport server? Set it with --url.',
  )
}

function hintFor(status: number, code: string, provider: string, secret: FoundSecret): string | undefined {
  const name = secretName(provider)
  switch (code) {
    case 'INVALID_SIGNATURE':
      return (
        `The server verifies with another secret than ${secret.from}: its ${name} has to hold the same one. ` +
        'Or the provider signs the address, and the PUBLIC_URL of the server is not that of --url; ' +
        'or it signs a time, and the clocks differ, or a sample has an old one in its body: add --fresh.'
      )
    case 'UNKNOWN_PROVIDER':
      return `The server has no provider "${provider}": give it ${name}, and where PROVIDERS is set, the name in it, and restart it.`
    case 'RATE_LIMITED':
      return 'Too many deliveries from this address failed verification.'
    case 'PAYLOAD_TOO_LARGE':
      return 'The server bounds the size of bodies: WEBHOOK_BODY_LIMIT.'
    default:
      return status >= 500 ? "The server's log tells why." : undefined
  }
}

/** Retry-After comes in seconds or as a date; both can be shown as they are, once they are printable. */
function retryHint(retryAfter: string | null): readonly string[] {
  if (retryAfter === null) return []
  const when = /^\d+$/.test(retryAfter) ? `in ${retryAfter} s` : `at ${printable(retryAfter, 40)}`
  return [`Try again ${when}.`]
}

/** JSON as a value, and undefined where it is none. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
