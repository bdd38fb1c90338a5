import { isSallyportError } from '@sallyport/errors'
import { describeFailure } from '@sallyport/internal/describe-failure'
import type { DestinationResult } from '@sallyport/webhooks'
import type { Dispatcher } from 'undici'
import { post, type Answer, type OutgoingRequest } from './request.ts'
import { UnsendableError, type OutgoingMessage, type RequestBuilder } from './requests.ts'
import { UnsignableError } from './sign.ts'
import { isUnavailable, type Classify } from './statuses.ts'

type Result = Omit<DestinationResult, 'durationMs'>

export interface AttemptOptions {
  readonly requests: RequestBuilder
  readonly classify: Classify
  readonly openDispatcher: () => Promise<Dispatcher>
  readonly timeoutMs: number
  readonly now: () => number
}

/** Sends a message once. The result has no secret, no address and no data. */
export type Attempt = (message: OutgoingMessage, signal: AbortSignal) => Promise<Result>

export function createAttempt(options: AttemptOptions): Attempt {
  const { requests, classify, openDispatcher, now } = options
  return async (message, signal) => {
    let request: OutgoingRequest
    let dispatcher: Dispatcher
    let credentials: readonly string[]
    try {
      dispatcher = await openDispatcher()
      const unsigned = await requests.build(message)
      const { url = unsigned.url.href, headers, body } = await requests.sign(unsigned, now())
      request = { url: new URL(url), headers, body }
      credentials = [...requests.ownValues, ...listProofs(headers, unsigned.headers)]
    } catch (error) {
      return toLocalFailure(error)
    }
    const { answer, isLate } = await postInTime(request, dispatcher, options, signal)
    if (answer.status !== undefined)
      return toResult({ ...answer, response: redact(answer.response, credentials) }, classify)
    if (answer.isInvalid) return { outcome: 'dead', error: 'The message cannot be written as a request' }
    if (isLate || isTimeout(signal)) return unreachable('The destination did not answer in time')
    return signal.aborted
      ? { outcome: 'retry', error: 'The attempt was interrupted' }
      : unreachable(answer.error)
  }
}

/** Lists the header values of a provider's scheme, which can be its secret. Those of Standard Webhooks are public. */
function listProofs(
  signed: OutgoingRequest['headers'],
  unsigned: OutgoingRequest['headers'],
): readonly string[] {
  const proofs = Object.entries(signed).filter(([name, value]) => unsigned[name] !== value)
  return proofs.filter(([name]) => !name.startsWith('webhook-')).map(([, value]) => value)
}

/** A shorter text is not a credential. */
const minLength = 8

/** Pages of errors can show the headers of the request. */
const redact = (response: string, credentials: readonly string[]): string =>
  credentials
    .filter(({ length }) => length >= minLength)
    .reduce((text, credential) => text.replaceAll(credential, '[redacted]'), response)

/** A timer and a listener that outlive the request would keep it in memory. */
async function postInTime(
  request: OutgoingRequest,
  dispatcher: Dispatcher,
  { timeoutMs, now }: AttemptOptions,
  signal: AbortSignal,
): Promise<{ readonly answer: Answer; readonly isLate: boolean }> {
  const ending = new AbortController()
  let isLate = false
  const end = () => {
    ending.abort()
  }
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, timeoutMs)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    const answer = await post(request, dispatcher, ending.signal, now)
    return { answer, isLate }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

const unreachable = (error: string): Result => ({ outcome: 'retry', error, unavailable: true })

const isTimeout = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError'

function toLocalFailure(error: unknown): Result {
  if (error instanceof UnsendableError || error instanceof UnsignableError)
    return { outcome: 'dead', error: error.message }
  // Messages of Sallyport's own errors contain no secret.
  const reason = isSallyportError(error) ? error.message : describeFailure(error)
  return unreachable(`The request cannot be made: ${reason}`)
}

function toResult(
  { status, response, retryAfterMs }: Extract<Answer, { readonly status: number }>,
  classify: Classify,
): Result {
  const meaning = classify(status)
  if (meaning === 'success') return { outcome: 'done', status, response }
  const failure = { error: `The destination answered ${status}`, status, response }
  if (meaning !== 'retry') return { outcome: meaning, ...failure }
  return {
    outcome: 'retry',
    ...failure,
    unavailable: isUnavailable(status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}
