import { isSallyportError } from '@sallyport/errors'
import type { PublishResult } from '@sallyport/webhooks'

export const timedOut: PublishResult = { ok: false, retryable: true, error: 'The service took too long' }

export const createTooLarge = (service: string): PublishResult => ({
  ...{ ok: false, retryable: false, tooLarge: true },
  error: `The event is larger than ${service} accepts: set dataref, and replay the event`,
})

interface ServiceFailure {
  readonly name?: unknown
  readonly code?: unknown
  readonly message?: unknown
}

const word = /^[\w.-]{1,100}$/

/** Describes an error by its name or code. Messages are omitted, because they contain accounts and users. */
export function describeError(service: string, error: unknown): string {
  if (isSallyportError(error)) return error.message
  const { name, code, message } = Object(error) as ServiceFailure
  if (message === 'Region is missing') return `${service}: set a region, such as AWS_REGION`
  const words = [code, name].filter((text) => typeof text === 'string')
  return `${service}: ${words.find((text) => word.test(text) && text !== 'Error') ?? 'no reason given'}`
}

/** Whether a request was refused because of an entry, which may be one of several. */
export function isRefusal(error: unknown): boolean {
  const { name } = Object(error) as ServiceFailure
  return /TooLong|InvalidMessageContents|InvalidParameter|InvalidAttributeValue|Validation/.test(String(name))
}

/** Whether an error of a request or an entry concerns its size. */
export function isTooLarge(error: unknown): boolean {
  const { name, message } = Object(error) as ServiceFailure
  if (/TooLong/.test(String(name))) return true
  return isRefusal({ name }) && /shorter than|too ?long|too large|size|length|limit/i.test(String(message))
}

/** Converts the error of a request into a retryable failure. */
export const toFailure = (service: string, error: unknown): PublishResult => ({
  ...{ ok: false, retryable: true },
  error: describeError(service, error),
})

/** Converts the failure of an entry into a result. Its code and its message are those of the service. */
export function toEntryFailure(
  service: string,
  code: string | undefined,
  message: string | undefined,
): PublishResult {
  if (isTooLarge({ name: code, message })) return createTooLarge(service)
  const isFinal = /InvalidMessageContents|MalformedDetail/.test(String(code))
  return { ok: false, retryable: !isFinal, error: describeError(service, { name: code }) }
}

/** The publisher may publish without a permission to read attributes. */
export const isAccessDenied = (error: unknown): boolean =>
  /^(?:AccessDenied|AuthorizationError)/.test(String((Object(error) as ServiceFailure).name))
