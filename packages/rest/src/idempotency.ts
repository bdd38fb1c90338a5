import { Buffer } from 'node:buffer'
import {
  createHash,
  createHmac,
  createSecretKey,
  randomUUID,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import { SallyportError } from '@sallyport/errors'
import { keyProblems } from './idempotency-key.ts'
import type { IdempotencyStore, StoredResponse } from './idempotency-store.ts'
import { invalidInput } from './invalid.ts'
import { integerOption } from './options.ts'

export interface IdempotencyOptions {
  readonly store: IdempotencyStore
  /**
   * Secrets of at least 32 bytes that fingerprints are made with, so that a stored one gives nothing away about a
   * body that could be guessed: the first makes new ones, all recognise.
   */
  readonly keys: readonly (Uint8Array | string)[]
  /**
   * Milliseconds that a response is replayed for, a whole number.
   *
   * @default 86_400_000, which is 24 hours
   */
  readonly keepFor?: number
  /**
   * Milliseconds, a whole number, after which the key of a request that was never answered is free again. Longer than
   * any handler takes: past it a second request runs beside the first.
   *
   * @default 60_000
   */
  readonly lockFor?: number
  /**
   * A unique token for each attempt.
   *
   * @default crypto.randomUUID
   */
  readonly createToken?: () => string
  /**
   * Told when the store fails after the request has run, and when a response that is to be kept came later than
   * `lockFor`, so that it was not, and the same request may have run beside it. Not told of one of 429, of 500 and above,
   * or of an error: none of those is kept, however long it took. The caller is given the response all the same: an error
   * would make it try again what has been done.
   */
  readonly onStoreError?: (error: unknown) => void
}

/** The request that an idempotency key came with. */
export interface IdempotentRequest {
  /** The value of the `Idempotency-Key` header. */
  readonly idempotencyKey: string
  /** Whose key it is, such as the user's id: keys of different scopes never meet. */
  readonly scope: string
  readonly method: string
  /** In one spelling, made of the route and its validated parameters: in another it is another path. */
  readonly path: string
  /** The body as it was received. */
  readonly body: Uint8Array | string
}

/** A response, and whether it is that of an earlier request. */
export interface IdempotentResponse {
  readonly response: StoredResponse
  readonly replayed: boolean
}

/**
 * Keeps the response that `run` is about to return by another store than the runner's: one over the transaction that
 * does what the response tells of. One of 429 or of 500 and above is not kept.
 *
 * Call it last: from then on, who repeats the request waits for the transaction.
 *
 * @throws SallyportError `SERVICE_UNAVAILABLE` (503) when the request took longer than `lockFor`, and the same may run
 *   beside it: let it roll the transaction back
 */
export type KeepResponse = (
  response: StoredResponse,
  store: Pick<IdempotencyStore, 'complete'>,
) => Promise<void>

/** Runs a request under its idempotency key. */
export type IdempotentRunner = (
  request: IdempotentRequest,
  run: (keep: KeepResponse) => Promise<StoredResponse>,
) => Promise<IdempotentResponse>

/**
 * Makes requests with an `Idempotency-Key` safe to repeat: the first runs, the same again is given its response.
 *
 * - Another method, path or scope is another key; another body under the same key is refused.
 * - A response of 429 or of 500 and above is given but not kept, so that the request can be tried again.
 * - When `run` throws, nothing is kept and the error goes through. Turn errors into responses inside `run`, then
 *   a refusal (4xx) is replayed too.
 * - The key of a process that died is free again after `lockFor`.
 * - What `run` does and the response that is kept are two commits: a process that dies between them has done what a
 *   repetition does again, and so has one whose database has gone away before it told that it was done. Where `run`
 *   writes to the database of the store, it makes them one, by `keep` within its transaction.
 *
 * The runner throws SallyportError `VALIDATION_ERROR` (400) for a key that is missing or not 1 to 255 visible ASCII
 * characters, `IDEMPOTENCY_KEY_REUSED` (422) for another body, `IDEMPOTENCY_KEY_IN_USE` (409, with `Retry-After`)
 * while the first request runs; TypeError for a scope, method or path that is no text.
 *
 * @throws TypeError without a key, with a short one, or for an option out of range
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
  keepFor = 24 * 60 * 60 * 1000,
  lockFor = 60_000,
  createToken = randomUUID,
  onStoreError = () => undefined,
}: IdempotencyOptions): IdempotentRunner {
  if (keys.length === 0) throw new TypeError('Idempotency needs a key for its fingerprints')
  if (keys.some((key) => Buffer.byteLength(key) < 32)) {
    throw new TypeError('A key that makes fingerprints has at least 32 bytes')
  }
  integerOption('keepFor', keepFor, 1)
  integerOption('lockFor', lockFor, 1)
  // Of raw bytes, each HMAC would import its key anew, which takes longer than the rest of it.
  const secrets = keys.map((key) => createSecretKey(Buffer.from(key)))
  return async (request, run) => {
    const details = keyProblems(request.idempotencyKey)
    if (details.length > 0) throw invalidInput('The Idempotency-Key is not valid', details)
    const key = recordKey(request)
    const fingerprints = secrets.map((secret) => fingerprintOf(secret, request.body))
    const token = createToken()
    const claim = await store
      .claim({ key, fingerprint: fingerprints[0] ?? '', token, lockFor })
      .catch((error: unknown) => {
        // It may have been given all the same, and nobody would use it until it ends. What fails again says nothing new.
        store.release({ key, token }).catch(() => undefined)
        throw error
      })

    if (claim.state !== 'claimed') {
      if (!fingerprints.some((own) => equalText(own, claim.fingerprint))) throw reusedKey()
      if (claim.state === 'in-use') throw keyInUse(claim.retryAfter)
      return { response: claim.response, replayed: true }
    }

    let keptWithin: StoredResponse | undefined
    const keep: KeepResponse = async (response, within) => {
      if (!isToBeKept(response)) return
      if (!(await within.complete({ key, token, response, keepFor }))) {
        const message = 'The request took too long; try again'
        throw new SallyportError('SERVICE_UNAVAILABLE', message, {
          headers: { 'Retry-After': '1' },
          cause: outlived(lockFor),
        })
      }
      keptWithin = response
    }
    let response: StoredResponse
    try {
      response = await run(keep)
    } catch (error) {
      try {
        await store.release({ key, token })
      } catch (failure) {
        onStoreError(failure)
      }
      throw error
    }
    if (response === keptWithin) return { response, replayed: false }
    try {
      if (!isToBeKept(response)) await store.release({ key, token })
      else if (!(await store.complete({ key, token, response, keepFor }))) throw outlived(lockFor)
    } catch (error) {
      onStoreError(error)
    }
    return { response, replayed: false }
  }
}

const isToBeKept = ({ status }: StoredResponse): boolean => status < 500 && status !== 429

/** JSON keeps the parts apart whatever they hold; the hash makes the key's length fixed. */
function recordKey({ scope, method, path, idempotencyKey }: IdempotentRequest): string {
  for (const [name, value] of Object.entries({ scope, method, path })) {
    // JSON writes null for what is missing, and all callers without a scope would share theirs.
    if (typeof value !== 'string')
      throw new TypeError(`The ${name} of an idempotent request must be a string`)
  }
  const parts = JSON.stringify([scope, method, path, idempotencyKey])
  return createHash('sha256').update(parts).digest('base64url')
}

function fingerprintOf(secret: KeyObject, body: Uint8Array | string): string {
  return createHmac('sha256', secret).update(body).digest('base64url')
}

function equalText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function reusedKey(): SallyportError {
  const message = 'The Idempotency-Key has been used for another request; use a new one'
  return new SallyportError('IDEMPOTENCY_KEY_REUSED', message)
}

function outlived(lockFor: number): Error {
  const message = `A request took longer than the ${lockFor} ms that its Idempotency-Key was held for; set a longer lockFor`
  return new Error(message)
}

function keyInUse(retryAfter: number): SallyportError {
  const message = 'A request with this Idempotency-Key is still running; try again when it has ended'
  // The lock's end is the latest moment; the request itself ends far sooner.
  const seconds = Math.min(Math.max(1, Math.ceil(retryAfter / 1000)), 5)
  return new SallyportError('IDEMPOTENCY_KEY_IN_USE', message, {
    headers: { 'Retry-After': String(seconds) },
  })
}
