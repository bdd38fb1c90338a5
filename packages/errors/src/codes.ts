/**
 * Every error code of the kit and the HTTP status that it is answered with.
 *
 * A code is part of the public contract: it is never renamed or reused, and clients branch on it rather than on
 * the message.
 */
export const statusByCode = {
  BAD_REQUEST: 400,
  INVALID_JSON: 400,
  VALIDATION_ERROR: 400,
  INVALID_CREDENTIALS: 401,
  INVALID_SIGNATURE: 401,
  INVALID_TOKEN: 401,
  TOKEN_MISSING: 401,
  ACCOUNT_SUSPENDED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  UNKNOWN_PROVIDER: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  EMAIL_TAKEN: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  VALIDATION_FAILED: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  INBOX_UNAVAILABLE: 503,
  OVERLOADED: 503,
  PROVIDER_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<string, number>

/** A code that the kit itself answers with. Applications may add upper-case codes of their own. */
export type ErrorCode = keyof typeof statusByCode

/** The code for an error that carries a status and nothing else, such as one thrown by a framework. */
export function codeForStatus(status: number): ErrorCode {
  return genericCodes.get(status) ?? (status >= 400 && status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR')
}

const genericCodes: ReadonlyMap<number, ErrorCode> = new Map<number, ErrorCode>([
  [400, 'BAD_REQUEST'],
  [401, 'INVALID_TOKEN'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
  [405, 'METHOD_NOT_ALLOWED'],
  [406, 'NOT_ACCEPTABLE'],
  [408, 'REQUEST_TIMEOUT'],
  [409, 'CONFLICT'],
  [412, 'PRECONDITION_FAILED'],
  [413, 'PAYLOAD_TOO_LARGE'],
  [414, 'URI_TOO_LONG'],
  [415, 'UNSUPPORTED_MEDIA_TYPE'],
  [422, 'VALIDATION_FAILED'],
  [429, 'RATE_LIMITED'],
  [431, 'HEADERS_TOO_LARGE'],
  [501, 'NOT_IMPLEMENTED'],
  [503, 'SERVICE_UNAVAILABLE'],
])
