import { Buffer } from 'node:buffer'
import {
  createHash,
  createHmac,
  createSecretKey,
  randomUUID,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import { SallyportError, type ErrorDetail } from '@sallyport/errors'
import type { IdempotencyStore, StoredResponse } from './idempotency-store.ts'
import { invalidInput } from './validate.ts'
import { integerOption } from './options.ts'

export interface IdempotencyOptions {
  readonly store: IdempotencyStore
  /**
   * Secrets of at least 32 bytes for the HMAC of request bodies, so that a stored fingerprint does not reveal a guessable
   * body. The first key creates fingerprints, and every key recognizes them.
   */
  readonly keys: readonly (Uint8Array | string)[]
  /**
   * Milliseconds for which a response is replayed, an integer.
   *
   * @default 86_400_000, which is 24 hours
   */
  readonly retentionMs?: number
  /**
   * Milliseconds, an integer, after which the key of an unanswered request is free again. Set it longer than any handler
   * takes: a second request can run concurrently after it.
   *
   * @default 60_000
   */
  readonly lockMs?: number
  /**
   * Creates a unique token for each attempt.
   *
   * @default crypto.randomUUID
   */
  readonly createToken?: () => string
  /**
   * Called when the store fails after the request has run, and when a response arrives after the lock expired: the
   * response is then not saved, and a second request may have run concurrently. Not called for 429, for 500 and above, or
   * for errors, which are never saved. The caller receives the response in every case: an error would make it repeat a
   * completed request.
   */
  readonly onStoreError?: (error: unknown) => void
}

/** The request that an idempotency key came with. */
export interface IdempotentRequest {
  /** The value of the `Idempotency-Key` header. */
  readonly idempotencyKey: string
  /** The owner of the key, such as a user id. Equal keys in different scopes are independent. */
  readonly scope: string
  readonly method: string
  /** The canonical path, made from the route and its validated parameters. Another spelling is another path. */
  readonly path: string
  /** The body as received. */
  readonly body: Uint8Array | string
}

/** A response, and whether it is the saved response of an earlier request. */
export interface IdempotentResponse {
  readonly response: StoredResponse
  readonly replayed: boolean
}

/**
 * Saves the response that `run` is about to return through another store than the runner's, such as one that uses the
 * transaction of the handler. A response of 429, or of 500 and above, is not saved.
 *
 * Call it last: a repeated request then waits for the transaction.
 *
 * @throws SallyportError `SERVICE_UNAVAILABLE` (503) when the lock expired before the call, because a second request may
 *   run concurrently. Let the error roll the transaction back.
 */
export type SaveResponse = (
  response: StoredResponse,
  store: Pick<IdempotencyStore, 'complete'>,
) => Promise<void>

/** Runs a request under its idempotency key. */
export type IdempotentRunner = (
  request: IdempotentRequest,
  run: (save: SaveResponse) => Promise<StoredResponse>,
) => Promise<IdempotentResponse>

/**
 * Makes requests with an `Idempotency-Key` safe to repeat: a repeated request receives the response of the first.
 *
 * - The same key with another method, path or scope is a different key. The same key with another body is an error.
 * - The runner returns a response of 429, or of 500 and above, without saving it, so that the request can be retried.
 * - When `run` throws, the runner releases the key and rethrows. To replay a 4xx error, convert it to a response in `run`.
 * - The key of a crashed process is free after `lockMs`.
 * - The work of `run` and the saved response are two commits. A crash between them, or a lost answer to the first commit,
 *   makes a repeated request run again. If `run` writes to the database of the store, call `save` in its transaction to
 *   make them one commit.
 *
 * The runner throws SallyportError `VALIDATION_ERROR` (400) for a key that is missing or not 1 to 255 visible ASCII
 * characters or a quoted string, `IDEMPOTENCY_KEY_REUSED` (422) for another body, `IDEMPOTENCY_KEY_IN_USE` (409, with `Retry-After`)
 * while the first request runs; TypeError for a scope, method or path that is not a string.
 *
 * @throws TypeError when `keys` is empty or holds a key under 32 bytes, or an option is out of range
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 *
 * @example
 * ```ts
 * import { createIdempotency, createMemoryIdempotencyStore } from '@sallyport/rest'
 *
 * const idempotent = createIdempotency({
 *   store: createMemoryIdempotencyStore(),
 *   keys: ['a secret of at least thirty-two bytes'],
 * })
 * const request = { idempotencyKey: 'a1', scope: 'user-1', method: 'POST', path: '/posts', body: '{}' }
 * const { response, replayed } = await idempotent(request, async () => {
 *   return { status: 201, headers: { Location: '/posts/1' }, body: '{"data":{"id":"1"}}' }
 * })
 * ```
 */
export function createIdempotency({
  store,
  keys,
  retentionMs = 24 * 60 * 60 * 1000,
  lockMs = 60_000,
  createToken = randomUUID,
  onStoreError = () => undefined,
}: IdempotencyOptions): IdempotentRunner {
  if (keys.length === 0) throw new TypeError('keys must hold at least one key')
  if (keys.some((key) => Buffer.byteLength(key) < 32)) {
    throw new TypeError('Each key that makes fingerprints needs at least 32 bytes')
  }
  integerOption('retentionMs', retentionMs, 1)
  integerOption('lockMs', lockMs, 1)
  // With raw bytes, every HMAC would import the key, which takes longer than the HMAC.
  const secrets = keys.map((key) => createSecretKey(Buffer.from(key)))
  return async (request, run) => {
    const details = validateIdempotencyKey(request.idempotencyKey)
    if (details.length > 0) throw invalidInput('The Idempotency-Key is not valid', details)
    const key = recordKey(request)
    const fingerprints = secrets.map((secret) => createFingerprint(secret, request.body))
    const token = createToken()
    const claim = await store
      .claim({ key, fingerprint: fingerprints[0] ?? '', token, lockMs })
      .catch((error: unknown) => {
        // The store may hold the claim although its answer was lost. Report only the original error.
        store.release({ key, token }).catch(() => undefined)
        throw error
      })

    if (claim.state !== 'claimed') {
      if (!fingerprints.some((own) => equalText(own, claim.fingerprint))) throw keyReused()
      if (claim.state === 'in-use') throw keyInUse(claim.retryAfterMs)
      return { response: claim.response, replayed: true }
    }

    let savedResponse: StoredResponse | undefined
    const save: SaveResponse = async (response, target) => {
      if (!isStorable(response)) return
      if (!(await target.complete({ key, token, response, retentionMs }))) {
        const message = 'The request took too long; try again'
        throw new SallyportError('SERVICE_UNAVAILABLE', message, {
          headers: { 'Retry-After': '1' },
          cause: lockExpired(lockMs),
        })
      }
      savedResponse = response
    }
    let response: StoredResponse
    try {
      response = await run(save)
    } catch (error) {
      try {
        await store.release({ key, token })
      } catch (failure) {
        onStoreError(failure)
      }
      throw error
    }
    if (response === savedResponse) return { response, replayed: false }
    try {
      if (!isStorable(response)) await store.release({ key, token })
      else if (!(await store.complete({ key, token, response, retentionMs }))) throw lockExpired(lockMs)
    } catch (error) {
      onStoreError(error)
    }
    return { response, replayed: false }
  }
}

const isStorable = ({ status }: StoredResponse): boolean => status < 500 && status !== 429

/** JSON separates the parts unambiguously; the hash has a fixed length. */
function recordKey({ scope, method, path, idempotencyKey }: IdempotentRequest): string {
  for (const [name, value] of Object.entries({ scope, method, path })) {
    // JSON writes null for undefined, and all callers without a scope would share one scope.
    if (typeof value !== 'string')
      throw new TypeError(`The ${name} of an idempotent request must be a string`)
  }
  const parts = JSON.stringify([scope, method, path, idempotencyKey])
  return createHash('sha256').update(parts).digest('base64url')
}

function createFingerprint(secret: KeyObject, body: Uint8Array | string): string {
  return createHmac('sha256', secret).update(body).digest('base64url')
}

function equalText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function keyReused(): SallyportError {
  const message = 'The Idempotency-Key was used for another request; use a new key'
  return new SallyportError('IDEMPOTENCY_KEY_REUSED', message)
}

function lockExpired(lockMs: number): Error {
  const message = `A request outlasted the ${lockMs} ms lock of its Idempotency-Key; set a longer lockMs`
  return new Error(message)
}

function keyInUse(retryAfterMs: number): SallyportError {
  const message = 'A request with this Idempotency-Key is still running; try again when it has finished'
  // The lock usually ends long before it expires.
  const seconds = Math.min(Math.max(1, Math.ceil(retryAfterMs / 1000)), 5)
  return new SallyportError('IDEMPOTENCY_KEY_IN_USE', message, {
    headers: { 'Retry-After': String(seconds) },
  })
}

/**
 * A string of a structured field, in quotes, or visible characters. Two joined headers are neither.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9651#section-3.3.3
 */
export const idempotencyKeyPattern = String.raw`^([!-~]+|"([ !#-\[\]-~]|\\["\\])+")$`

const keyForm = new RegExp(idempotencyKeyPattern)

/** Validates the value of an `Idempotency-Key` header; a missing header is a problem, too. */
export function validateIdempotencyKey(value: unknown): readonly ErrorDetail[] {
  // RegExp.test would convert undefined to the text "undefined".
  if (typeof value === 'string' && value.length <= 255 && keyForm.test(value)) return []
  return [
    {
      code: 'INVALID_FORMAT',
      field: 'Idempotency-Key',
      in: 'header',
      message: 'Must be 1 to 255 visible ASCII characters, or a string in quotes',
    },
  ]
}
