import { createHmac, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { SallyportError } from '@sallyport/errors'
import { createSemaphore } from '@sallyport/internal/semaphore'
import { integerOption } from '@sallyport/internal/options'
import { secretOption } from '../options.ts'
import {
  argon2id,
  argon2Version13,
  dummyHash,
  hashBytes,
  readStoredHash,
  saltBytes,
  withKeyId,
  type Argon2Parameters,
  type StoredHash,
} from './stored-hash.ts'

export interface PasswordHasherOptions extends Partial<Argon2Parameters> {
  /** Memory of a hash in KiB. @default 19456 (19 MiB), as in the OWASP Password Storage Cheat Sheet */
  readonly memoryKiB?: number
  /** Passes over the memory. @default 2 */
  readonly iterations?: number
  /** @default 1 */
  readonly parallelism?: number
  /** Maximum length of a password in bytes of UTF-8. @default 512, enough for any 128 characters */
  readonly maxBytes?: number
  /**
   * The number of concurrent hashes, each with its own memory. They run on the thread pool of libuv, which has four
   * threads by default and also serves file access and name resolution.
   *
   * @default the number of processors, at most 3
   */
  readonly concurrency?: number
  /** The maximum number of waiting hashes. @default 64 */
  readonly maxWaiting?: number
  /**
   * Secrets of at least 32 bytes that are part of every hash and are stored outside the database. The first is used for
   * new hashes, the others verify old hashes. Without its pepper, a hash cannot be verified.
   *
   * @default none
   */
  readonly peppers?: readonly (string | Uint8Array)[]
}

/** The result of a password check. */
export interface PasswordVerdict {
  /** Whether the password is correct. */
  readonly valid: boolean
  /** Whether to hash the password again and store the new hash, because parameters or peppers have changed. */
  readonly needsRehash: boolean
}

export interface PasswordHasher {
  /**
   * Hashes a password with argon2id and a random salt.
   *
   * @returns a PHC string of about 100 characters
   * @throws SallyportError 400 `VALIDATION_ERROR` for a password that is too long; 503 `OVERLOADED` with `Retry-After`
   *   when too many hashes wait
   */
  readonly hash: (password: string) => Promise<string>
  /**
   * Compares a password with a stored hash.
   *
   * Pass undefined for an unknown user: the check takes the same time and fails. A malformed hash is treated the same. A
   * password that is too long fails at once.
   *
   * @throws SallyportError 503 `OVERLOADED` with `Retry-After` when too many hashes wait
   */
  readonly verify: (stored: string | null | undefined, password: string) => Promise<PasswordVerdict>
}

/**
 * Creates a password hasher: argon2id (RFC 9106) with the parameters that OWASP recommends.
 *
 * Create one hasher and share it, because its concurrency limit is its own.
 *
 * @throws TypeError for an option out of range
 * @example
 * ```ts
 * import { createPasswordHasher } from '@sallyport/auth/password'
 *
 * const passwords = createPasswordHasher()
 * const stored = await passwords.hash('correct horse battery staple')
 * const { valid, needsRehash } = await passwords.verify(stored, 'correct horse battery staple')
 * ```
 */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const parallelism = integerOption('parallelism', options.parallelism ?? 1, 1, 64)
  const parameters: Argon2Parameters = {
    parallelism,
    // Argon2 needs 8 KiB per lane (RFC 9106, section 3.1).
    memoryKiB: integerOption('memoryKiB', options.memoryKiB ?? 19_456, 8 * parallelism, 1_048_576),
    iterations: integerOption('iterations', options.iterations ?? 2, 1, 64),
  }
  const maxBytes = integerOption('maxBytes', options.maxBytes ?? 512, 1, 4096)
  const concurrency = options.concurrency ?? Math.min(availableParallelism(), 3)
  const queue = createSemaphore({
    limit: integerOption('concurrency', concurrency, 1),
    maxWaiting: integerOption('maxWaiting', options.maxWaiting ?? 64, 0),
    onOverload: createOverloadedError,
  })
  const peppers = readPeppers(options.peppers ?? [])
  const [pepper] = peppers
  const dummy = dummyHash(parameters, randomBytes)

  return {
    async hash(password) {
      if (isTooLong(password, maxBytes)) throw tooLongError(maxBytes)
      const made = await queue.run(() => hash(password, argon2Options(parameters, pepper)))
      return pepper === undefined ? made : withKeyId(made, pepper.id)
    },

    async verify(stored, password) {
      if (isTooLong(password, maxBytes)) return invalid
      const known = readStoredHash(stored)
      const used = known?.pepperId === undefined ? undefined : peppers.find(({ id }) => id === known.pepperId)
      if (known === undefined || (known.pepperId !== undefined && used === undefined)) {
        await queue.run(() => compare(dummy, password, pepper))
        return invalid
      }
      const valid = await queue.run(() => compare(stored as string, password, used))
      return valid ? { valid, needsRehash: !isCurrent(known, parameters, pepper) } : invalid
    },
  }
}

const invalid: PasswordVerdict = { valid: false, needsRehash: false }

function createOverloadedError(): SallyportError {
  return new SallyportError('OVERLOADED', 'Too many passwords are being checked; try again in a moment', {
    headers: { 'Retry-After': '1' },
  })
}

function isTooLong(password: string, maxBytes: number): boolean {
  if (typeof password !== 'string') throw new TypeError('password must be a string')
  // A character has at least one byte, so the length check avoids measuring a huge text.
  return password.length > maxBytes || Buffer.byteLength(password, 'utf8') > maxBytes
}

function argon2Options({ memoryKiB, iterations, parallelism }: Argon2Parameters, pepper: Pepper | undefined) {
  return {
    algorithm: argon2id,
    version: argon2Version13,
    memoryCost: memoryKiB,
    timeCost: iterations,
    parallelism,
    outputLen: hashBytes,
    ...(pepper && { secret: pepper.secret }),
  }
}

/** Argon2 compares in constant time. A hash that it cannot parse fails the check. */
async function compare(stored: string, password: string, pepper: Pepper | undefined): Promise<boolean> {
  try {
    return await verify(stored, password, pepper && { secret: pepper.secret })
  } catch {
    return false
  }
}

function isCurrent(
  { parameters, pepperId }: StoredHash,
  { memoryKiB, iterations, parallelism }: Argon2Parameters,
  pepper: Pepper | undefined,
): boolean {
  return (
    (parameters.algorithm as number) === argon2id &&
    (parameters.version as number) === argon2Version13 &&
    parameters.memoryCost === memoryKiB &&
    parameters.timeCost === iterations &&
    parameters.parallelism === parallelism &&
    parameters.outputLen === hashBytes &&
    parameters.saltLen >= saltBytes &&
    pepperId === pepper?.id
  )
}

function tooLongError(maxBytes: number): SallyportError {
  const message = `Must be at most ${maxBytes} bytes long in UTF-8`
  return new SallyportError('VALIDATION_ERROR', 'The password is too long', {
    details: [{ field: 'password', message }],
  })
}

/** A secret that is part of every hash and is stored outside the database. */
interface Pepper {
  /** The name of the pepper in a stored hash: `keyid` of the PHC string format, derived with a one-way function. */
  readonly id: string
  readonly secret: Uint8Array
}

function readPeppers(peppers: readonly (string | Uint8Array)[]): readonly Pepper[] {
  return peppers.map((pepper, index) => {
    const secret = secretOption(`peppers[${index}]`, pepper)
    // Eight characters of plain base64, as the format allows. 48 bits of an HMAC do not reveal the pepper.
    const id = createHmac('sha256', secret).update('sallyport pepper id').digest().subarray(0, 6)
    return { id: id.toString('base64'), secret }
  })
}
