/**
 * Every error code with its HTTP status.
 *
 * A code is part of the public contract: it is never renamed or reused. Clients branch on the code, not on the message.
 * The first sentence of each docstring is the meaning, the second the remedy. The first code of a status is the default
 * for errors that carry only a status.
 */
export const statusByCode = {
  /**
   * The request is malformed: its path, query, a header or its framing. Correct the request; a retry fails
   * again.
   */
  BAD_REQUEST: 400,
  /** The body is not JSON, or does not have the form that the provider expects. Send valid UTF-8 JSON. */
  INVALID_JSON: 400,
  /** A field or a parameter is invalid. Correct every field that `details` lists. */
  VALIDATION_ERROR: 400,
  /**
   * The token is malformed, expired or revoked, or has an unknown signature. Refresh the token, or log in
   * again.
   */
  INVALID_TOKEN: 401,
  /** The email address or the password is wrong. Ask the user again. */
  INVALID_CREDENTIALS: 401,
  /**
   * The signature of a delivery is missing, malformed, wrong or expired. Compare the secrets and clocks of
   * both sides, and check that no proxy rewrites bodies.
   */
  INVALID_SIGNATURE: 401,
  /** The request has no bearer token. Send `Authorization: Bearer …`. */
  TOKEN_MISSING: 401,
  /** The authenticated user lacks the permission. Use an account with the required role. */
  FORBIDDEN: 403,
  /** The account is suspended. Contact an administrator. */
  ACCOUNT_SUSPENDED: 403,
  /**
   * A request with a session cookie comes from another site, or has no `X-CSRF-Protection: 1`. Send the request from a
   * page of the API, with the header.
   */
  CSRF_REJECTED: 403,
  /** A login with a session cookie came by plain HTTP. Use HTTPS, or a loopback address. */
  HTTPS_REQUIRED: 403,
  /** Registration is closed. Ask an administrator for an account. */
  REGISTRATION_CLOSED: 403,
  /** The invitation is unknown, used or expired. Ask an administrator for a new one. */
  INVITATION_INVALID: 403,
  /** The resource or path does not exist, or is not visible to the caller. Check the path and the id. */
  NOT_FOUND: 404,
  /**
   * No provider of this name is registered, or it has no secret. Check the path, and the list of providers
   * that the server logs at startup.
   */
  UNKNOWN_PROVIDER: 404,
  /** The provider has no endpoint of this id. Check the URL; a deleted endpoint has no address. */
  UNKNOWN_ENDPOINT: 404,
  /** The path does not support this method. Use a method that `Allow` lists. */
  METHOD_NOT_ALLOWED: 405,
  /** `Accept` excludes every available media type. Accept `application/json`. */
  NOT_ACCEPTABLE: 406,
  /** The request took too long to arrive. Retry, with a smaller body if possible. */
  REQUEST_TIMEOUT: 408,
  /** The current state of the resource does not allow the change. Read the resource again, then decide. */
  CONFLICT: 409,
  /** Another account has this email address. Use another address, or log in. */
  EMAIL_TAKEN: 409,
  /** The change would leave no active admin. Make another user an admin first. */
  LAST_ADMIN: 409,
  /** A request with this `Idempotency-Key` is still running. Retry after `Retry-After`. */
  IDEMPOTENCY_KEY_IN_USE: 409,
  /** The resource is no longer available, such as a disabled endpoint. Enable the endpoint, or stop the requests. */
  GONE: 410,
  /**
   * The resource does not match `If-Match` or another condition. Read the resource again and repeat the
   * change.
   */
  PRECONDITION_FAILED: 412,
  /** The body exceeds the limit. Send a smaller body, or raise the limit. */
  PAYLOAD_TOO_LARGE: 413,
  /** The path or the query is too long. Shorten it. */
  URI_TOO_LONG: 414,
  /** The `Content-Type` or `Content-Encoding` is not supported. Send JSON without a content coding. */
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The requested range is outside of the content. Request a range below the size in `Content-Range`. */
  RANGE_NOT_SATISFIABLE: 416,
  /** Like `VALIDATION_ERROR`, for applications that answer 422. Correct every field that `details` lists. */
  VALIDATION_FAILED: 422,
  /** The `Idempotency-Key` was used for a different request. Use a new key for a new request. */
  IDEMPOTENCY_KEY_REUSED: 422,
  /** The client sent too many requests or caused too many failures. Wait for the time in `Retry-After`. */
  RATE_LIMITED: 429,
  /** The headers are too large. Send fewer or shorter headers, cookies first. */
  HEADERS_TOO_LARGE: 431,
  /** An unexpected error occurred; the answer contains no details. Search the log for the request id. */
  INTERNAL_ERROR: 500,
  /** The object of a body has other bytes than were stored. Restore the object, or erase the delivery. */
  BODY_CHANGED: 500,
  /** The store has no object of a body. Restore the object, or erase the delivery. */
  BODY_MISSING: 500,
  /** The server does not support this request. Use another request; a retry fails again. */
  NOT_IMPLEMENTED: 501,
  /**
   * A dependency is unavailable, or too many clients change the same data. Retry after `Retry-After` if
   * present, and check the dependency.
   */
  SERVICE_UNAVAILABLE: 503,
  /** The inbox could not record the delivery. Check the database; many services retry, but some never do. */
  INBOX_UNAVAILABLE: 503,
  /**
   * The store of large bodies does not answer. Check the store; many services retry, but some never do.
   */
  BODY_UNAVAILABLE: 503,
  /**
   * The server has reached a limit on waiting or running work. Retry after `Retry-After`; add capacity if the
   * error persists.
   */
  OVERLOADED: 503,
  /**
   * The secret of the provider is unavailable or unusable, the signed URL is not configured, the body was read
   * before the gateway, or no inbox can keep a delivery that cannot be read. Check the secret store and the
   * settings; many services retry, but some never do.
   */
  PROVIDER_UNAVAILABLE: 503,
} as const satisfies Record<string, number>

/** A code of the toolkit. Applications may define further upper-case codes. */
export type ErrorCode = keyof typeof statusByCode

/** Returns the code for an error that carries only a status, such as an error of a framework. */
export function codeForStatus(status: number): ErrorCode {
  const codes = Object.keys(statusByCode) as ErrorCode[]
  const fallback = status >= 400 && status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR'
  return codes.find((code) => statusByCode[code] === status) ?? fallback
}
