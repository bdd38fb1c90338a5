/**
 * Every error code of the kit and the HTTP status that it is answered with.
 *
 * A code is part of the public contract: it is never renamed or reused, and clients branch on it rather than on
 * the message. The first sentence of each says what it means, the second what to do. The first code of a status is
 * the one for errors of which nothing else is known.
 */
export const statusByCode = {
  /**
   * The request itself is malformed: its path, query, a header or its framing. Mend the request; the same
   * one fails again.
   */
  BAD_REQUEST: 400,
  /**
   * The body is not JSON, or not of the shape that the provider of a webhook sends. Send valid UTF-8 JSON.
   */
  INVALID_JSON: 400,
  /** Fields or parameters have values that are not allowed. Mend every one that `details` lists. */
  VALIDATION_ERROR: 400,
  /** The token is malformed, expired, revoked or signed by somebody else. Refresh it, or log in again. */
  INVALID_TOKEN: 401,
  /** E-mail address and password do not belong together. Ask for them again. */
  INVALID_CREDENTIALS: 401,
  /**
   * The signature of a webhook is missing, malformed, wrong or too old. Compare the secrets and clocks of
   * both sides, and see that no proxy rewrites bodies.
   */
  INVALID_SIGNATURE: 401,
  /** There is no bearer token. Send `Authorization: Bearer …`. */
  TOKEN_MISSING: 401,
  /** The caller is known and may not do this. Ask somebody with the role for it. */
  FORBIDDEN: 403,
  /** The account is suspended. Ask an administrator. */
  ACCOUNT_SUSPENDED: 403,
  /** There is no such resource or path, or none that the caller may know of. Check the address and the id. */
  NOT_FOUND: 404,
  /**
   * No provider of this name is registered, or it has no secret. Check the path, and which providers the
   * start-up lines name.
   */
  UNKNOWN_PROVIDER: 404,
  /** The path does not take this method. Use one that `Allow` lists. */
  METHOD_NOT_ALLOWED: 405,
  /** `Accept` excludes every form that the answer has. Accept `application/json`. */
  NOT_ACCEPTABLE: 406,
  /** The request took too long to arrive. Send it again, over a better line or with a smaller body. */
  REQUEST_TIMEOUT: 408,
  /** The state of the resource does not allow it now. Read the resource, then decide anew. */
  CONFLICT: 409,
  /** Another account has this e-mail address. Use another address, or log in. */
  EMAIL_TAKEN: 409,
  /** A request with this `Idempotency-Key` is still running. Repeat it after `Retry-After`. */
  IDEMPOTENCY_KEY_IN_USE: 409,
  /**
   * The resource is not in the state that `If-Match` or another condition asks for. Read it again, and
   * change what you have read.
   */
  PRECONDITION_FAILED: 412,
  /** The body is larger than the limit. Send less, or raise the limit. */
  PAYLOAD_TOO_LARGE: 413,
  /** The path or the query is too long. Shorten it. */
  URI_TOO_LONG: 414,
  /**
   * The `Content-Type` or `Content-Encoding` is not one that is read here. Send JSON, and without a coding
   * that the sender does not sign.
   */
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** As `VALIDATION_ERROR`, for applications that answer 422. Mend every field that `details` lists. */
  VALIDATION_FAILED: 422,
  /** The `Idempotency-Key` came before, with another request. Take a new key for a new request. */
  IDEMPOTENCY_KEY_REUSED: 422,
  /** Too many requests or too many failures of this client. Wait for as long as `Retry-After` says. */
  RATE_LIMITED: 429,
  /** The headers are too large. Send fewer or shorter ones, cookies above all. */
  HEADERS_TOO_LARGE: 431,
  /**
   * Something failed that nobody foresaw; no detail leaves the server. Look for the request id in the log.
   */
  INTERNAL_ERROR: 500,
  /** The server does not know how to do this. Use another way; a repetition fails as well. */
  NOT_IMPLEMENTED: 501,
  /**
   * Something that the server stands on is away, or too many change the same at once. Repeat it after
   * `Retry-After` where there is one; see to the dependency.
   */
  SERVICE_UNAVAILABLE: 503,
  /** A delivery could not be recorded durably. Services that send again do so; see to the database. */
  INBOX_UNAVAILABLE: 503,
  /**
   * More is waiting or in flight than the bounds allow. Repeat it after `Retry-After`; add capacity when it
   * lasts.
   */
  OVERLOADED: 503,
  /**
   * The secret of a provider cannot be had or used, or the address that it signs is not configured. See to
   * the secret store and the settings; services that send again do so.
   */
  PROVIDER_UNAVAILABLE: 503,
} as const satisfies Record<string, number>

/** A code that the kit itself answers with. Applications may add upper-case codes of their own. */
export type ErrorCode = keyof typeof statusByCode

/** The code for an error that carries a status and nothing else, such as one thrown by a framework. */
export function codeForStatus(status: number): ErrorCode {
  const codes = Object.keys(statusByCode) as ErrorCode[]
  const fallback = status >= 400 && status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR'
  return codes.find((code) => statusByCode[code] === status) ?? fallback
}
