import { toErrorResponse, type ErrorCode, type ErrorDetail, type ErrorEnvelope } from '@sallyport/errors'
import { prefersProblemJson } from './accept.ts'

/** Problem details as defined by RFC 9457, with the code and details of the error as extension members. */
interface ProblemDetails {
  /** A URI that identifies the problem type; `about:blank` adds nothing to the status. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance?: string
  readonly code: ErrorCode | (string & {})
  readonly details?: readonly ErrorDetail[]
}

/** The response for an error, in the media type that `Accept` prefers. */
export interface NegotiatedErrorResponse {
  readonly status: number
  /** The headers of the error, with `Content-Type` and with `Accept` in `Vary`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorEnvelope | ProblemDetails
}

export interface ErrorResponseOptions {
  /** The value of the request's `Accept` header. */
  readonly accept?: string | undefined
  /**
   * The prefix of `type`. The code follows in lower case with dashes: `https://example.org/problems/` gives
   * `https://example.org/problems/not-found`.
   *
   * @default `type` is `about:blank`
   */
  readonly problemBase?: string | undefined
  /** A URI reference of this occurrence, such as `urn:uuid:` with the request id. */
  readonly instance?: string | undefined
}

/**
 * Converts an error envelope to RFC 9457 problem details.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
function toProblemDetails(
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
 * Creates the response for a thrown value: `application/problem+json` if `Accept` prefers it, else the error envelope.
 *
 * `toErrorResponse` of `@sallyport/errors` decides which parts of an error are public.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
export function negotiateErrorResponse(
  error: unknown,
  { accept, ...options }: ErrorResponseOptions = {},
): NegotiatedErrorResponse {
  const { status, headers, body } = toErrorResponse(error)
  const problem = prefersProblemJson(accept)
  const type = problem ? 'application/problem+json' : 'application/json; charset=utf-8'
  return {
    status,
    headers: answerHeaders(headers, type),
    body: problem ? toProblemDetails(status, body, options) : body,
  }
}

/** Merges the headers of an error, whose names may have any case, with `Content-Type` and `Vary`. */
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
    // RFC 9110 section 12.5.5: `*` must be the only member.
    Vary: vary.has('*') ? '*' : [...vary.values()].join(', '),
  }
}

/** The IANA reason phrase of a status; a phrase for its class when the status is not listed. */
export function statusText(status: number): string {
  return phrases.get(status) ?? (status < 400 ? 'Success' : status < 500 ? 'Client Error' : 'Server Error')
}

const phrases: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [204, 'No Content'],
  [206, 'Partial Content'],
  [304, 'Not Modified'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [412, 'Precondition Failed'],
  [413, 'Content Too Large'],
  [414, 'URI Too Long'],
  [415, 'Unsupported Media Type'],
  [416, 'Range Not Satisfiable'],
  [422, 'Unprocessable Content'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [503, 'Service Unavailable'],
])
