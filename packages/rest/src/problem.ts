import { toErrorResponse, type ErrorCode, type ErrorDetail, type ErrorEnvelope } from '@sallyport/errors'
import { prefersProblem } from './accept.ts'
import { statusText } from './status-text.ts'

/** A problem as RFC 9457 describes it, with the code and details of the error as extensions. */
export interface ProblemDetails {
  /** A URI that names the kind of problem; `about:blank` says no more than the status. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance?: string
  readonly code: ErrorCode | (string & {})
  readonly details?: readonly ErrorDetail[]
}

/** What an error is answered with, in the media type that was asked for. */
export interface NegotiatedErrorResponse {
  readonly status: number
  /** Those of the error, with `Content-Type`, and with `Accept` in `Vary`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorEnvelope | ProblemDetails
}

export interface ErrorResponseOptions {
  /** The value of the request's `Accept`. */
  readonly accept?: string | undefined
  /**
   * What `type` starts with; the code in lower case, with dashes, follows: `https://example.org/problems/` gives
   * `https://example.org/problems/not-found`.
   *
   * @default `type` is `about:blank`
   */
  readonly problemBase?: string | undefined
  /** A URI reference of this occurrence, such as `urn:uuid:` and the request's id. */
  readonly instance?: string | undefined
}

/**
 * An error envelope as the problem that RFC 9457 describes.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 *
 * @example
 * ```ts
 * import { problemOf } from '@sallyport/rest'
 *
 * const envelope = { error: { code: 'EMAIL_TAKEN', message: 'Use another address' } }
 * problemOf(409, envelope, { problemBase: 'https://example.org/problems/' }).type
 * // 'https://example.org/problems/email-taken'
 * ```
 */
export function problemOf(
  status: number,
  { error: { code, message, details } }: ErrorEnvelope,
  { problemBase, instance }: Pick<ErrorResponseOptions, 'problemBase' | 'instance'> = {},
): ProblemDetails {
  const slug = code.toLowerCase().replaceAll('_', '-')
  return {
    type: problemBase === undefined ? 'about:blank' : problemBase + slug,
    title: statusText(status),
    status,
    detail: message,
    code,
    ...(instance !== undefined && { instance }),
    ...(details !== undefined && { details }),
  }
}

/**
 * The response for anything that was thrown: problem+json where `Accept` names it, the error envelope otherwise.
 *
 * What is shown of an error is decided by `toErrorResponse` of `@sallyport/errors`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 *
 * @example
 * ```ts
 * import { SallyportError } from '@sallyport/errors'
 * import { errorResponse } from '@sallyport/rest'
 *
 * const error = new SallyportError('NOT_FOUND', 'There is no such user')
 * errorResponse(error, { accept: 'application/problem+json' }).body
 * // { type: 'about:blank', title: 'Not Found', status: 404, detail: 'There is no such user', code: 'NOT_FOUND' }
 * ```
 */
export function errorResponse(
  error: unknown,
  { accept, ...options }: ErrorResponseOptions = {},
): NegotiatedErrorResponse {
  const { status, headers, body } = toErrorResponse(error)
  const problem = prefersProblem(accept)
  const type = problem ? 'application/problem+json' : 'application/json; charset=utf-8'
  return {
    status,
    headers: answerHeaders(headers, type),
    body: problem ? problemOf(status, body, options) : body,
  }
}

/** An error's headers, their names in any case, with one `Content-Type` and all that the answer varies by. */
function answerHeaders(
  own: Readonly<Record<string, string>>,
  type: string,
): Readonly<Record<string, string>> {
  const fields = Object.entries(own)
  const varies = fields.filter(([key]) => /^vary$/i.test(key)).flatMap(([, value]) => value.split(','))
  const vary = new Map<string, string>()
  for (const field of [...varies, 'Accept']) {
    const name = field.trim()
    if (name !== '' && !vary.has(name.toLowerCase())) vary.set(name.toLowerCase(), name)
  }
  const others = fields.filter(([key]) => !/^(content-type|vary)$/i.test(key))
  return {
    ...Object.fromEntries(others),
    'Content-Type': type,
    // RFC 9110 section 12.5.5: alone, it stands for everything.
    Vary: vary.has('*') ? '*' : [...vary.values()].join(', '),
  }
}
