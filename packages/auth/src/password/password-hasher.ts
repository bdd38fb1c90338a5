import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { SallyportError } from '@sallyport/errors'
import { integerOption } from '../options.ts'
import { readPeppers, type Pepper } from './peppers.ts'
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
import { createWorkQueue } from './work-queue.ts'

export interface PasswordHasherOptions extends Partial<Argon2Parameters> {
  /** Memory of a hash, in KiB. @default 19456 (19 MiB), the OWASP Password Storage Cheat Sheet's */
  readonly memoryKiB?: number
  /** Passes over the memory. @default 2 */
  readonly iterations?: number
  /** @default 1 */
  readonly parallelism?: number
  /** The longest password, in bytes of UTF-8. @default 512, which 128 characters never exceed */
  readonly maxBytes?: number
  /**
   * How many hashes are computed at the same time, each with its own memory. They run on libuv's thread pool, of
   * four threads by default, which file access and name resolution need as well.
   *
   * @default the number of processors, at most 3
   */
  readonly concurrency?: number
  /** How many may wait for their turn. @default 64 */
  readonly maxWaiting?: number
  /**
   * Secrets that go into every hash and are kept apart from the database, at least 32 bytes each: the first is
   * used, the others were before it. Losing one loses the passwords that were hashed with it.
   *
   * @default none
   */
  readonly peppers?: readonly (string | Uint8Array)[]
}

/** The answer to a password. */
export interface PasswordVerdict {
  /** Whether it is the right one. */
  readonly valid: boolean
  /** Whether to hash it anew and store that: it is right, and its hash was made with other parameters or peppers. */
  readonly needsRehash: boolean
}

export interface PasswordHasher {
  /**
   * Hashes a password with argon2id and a random salt.
   *
   * @returns a PHC string of about 100 characters
   * @throws SallyportError 400 `VALIDATION_ERROR` when the password is too long; 503 `OVERLOADED` with `Retry-After`
   *   when too many wait
   */
  readonly hash: (password: string) => Promise<string>
  /**
   * Compares a password with a stored hash.
   *
   * For an unknown user pass undefined: that takes the same time and is never valid. So is, and does, a stored hash
   * that is malformed. A password that is too long is not valid, for anybody.
   *
   * @throws SallyportError 503 `OVERLOADED` with `Retry-After` when too many wait
   */
  readonly verify: (stored: string | null | undefined, password: string) => Promise<PasswordVerdict>
}

/**
 * Makes a hasher of passwords: argon2id (RFC 9106) with the parameters that OWASP recommends.
 *
 * Make one and share it: the bounds on work are those of one hasher.
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
    // Argon2 needs 8 KiB a lane (RFC 9106, section 3.1).
    memoryKiB: integerOption('memoryKiB', options.memoryKiB ?? 19_456, 8 * parallelism, 1_048_576),
    iterations: integerOption('iterations', options.iterations ?? 2, 1, 64),
  }
  const maxBytes = integerOption('maxBytes', options.maxBytes ?? 512, 1, 4096)
  const concurrency = options.concurrency ?? Math.min(availableParallelism(), 3)
  const queue = createWorkQueue(
    integerOption('concurrency', concurrency, 1),
    integerOption('maxWaiting', options.maxWaiting ?? 64, 0),
  )
  const peppers = readPeppers(options.peppers ?? [])
  const [pepper] = peppers
  const dummy = dummyHash(parameters, randomBytes)

  return {
    async hash(password) {
      if (isTooLong(password, maxBytes)) throw tooLong(maxBytes)
      const made = await queue.run(() => hash(password, argon2Options(parameters, pepper)))
      return pepper === undefined ? made : withKeyId(made, pepper.id)
    },

    async verify(stored, password) {
      if (isTooLong(password, maxBytes)) return refused
      const known = readStoredHash(stored)
      const used = known?.pepperId === undefined ? undefined : peppers.find(({ id }) => id === known.pepperId)
      if (known === undefined || (known.pepperId !== undefined && used === undefined)) {
        await queue.run(() => compare(dummy, password, pepper))
        return refused
      }
      const valid = await queue.run(() => compare(stored as string, password, used))
      return valid ? { valid, needsRehash: !isCurrent(known, parameters, pepper) } : refused
    },
  }
}

const refused: PasswordVerdict = { valid: false, needsRehash: false }

function isTooLong(password: string, maxBytes: number): boolean {
  if (typeof password !== 'string') throw new TypeError('A password is a string')
  // A character has at least one byte, so that a huge text is not even measured.
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

/** Argon2 compares in constant time; a hash that it cannot read after all is a failed login. */
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

function tooLong(maxBytes: number): SallyportError {
  const message = `Must be at most ${maxBytes} bytes long in UTF-8`
  return new SallyportError('VALIDATION_ERROR', 'The password is too long', {
    details: [{ field: 'password', message }],
  })
}
