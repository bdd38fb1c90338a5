import { parseOptions, type ParsedHashOptions } from '@node-rs/argon2'

/** The parameters of argon2id. */
export interface Argon2Parameters {
  /** Memory, in KiB. */
  readonly memoryKiB: number
  /** Passes over the memory. */
  readonly iterations: number
  readonly parallelism: number
}

/** A stored hash that can be verified. */
export interface StoredHash {
  readonly parameters: ParsedHashOptions
  /** The id of the pepper of the hash. */
  readonly pepperId: string | undefined
}

// @node-rs/argon2 declares ambient const enums, which cannot be imported.
export const argon2id = 2
export const argon2Version13 = 1
export const hashBytes = 32
export const saltBytes = 16

const keyId = /^\$argon2id\$v=19\$m=\d{1,10},t=\d{1,10},p=\d{1,3},keyid=([A-Za-z0-9+/]{1,11})\$/

/** Maximum length of a stored hash; an argon2id hash has about 100 characters. */
const maxLength = 512

/** Limits, so that a corrupt row cannot exhaust the memory. */
const maxMemoryKiB = 1_048_576
const maxIterations = 64
const maxParallelism = 64

/** Parses a stored hash; undefined when it is malformed or over the limits. */
export function readStoredHash(stored: unknown): StoredHash | undefined {
  if (typeof stored !== 'string' || stored.length > maxLength) return undefined
  let parameters
  try {
    parameters = parseOptions(stored)
  } catch {
    return undefined
  }
  const { memoryCost, timeCost, parallelism } = parameters
  if (memoryCost > maxMemoryKiB || timeCost > maxIterations || parallelism > maxParallelism) return undefined
  return { parameters, pepperId: keyId.exec(stored)?.[1] }
}

/** Adds the id of the pepper to a hash (PHC string format: `keyid` follows the parameters). */
export function withKeyId(hash: string, id: string): string {
  return hash.replace(/^(\$[^$]*\$[^$]*\$[^$]*)/, `$1,keyid=${id}`)
}

/** Creates a hash of no password with the given parameters. Verifying it takes as long as verifying a real hash. */
export function dummyHash(parameters: Argon2Parameters, random: (size: number) => Uint8Array): string {
  const { memoryKiB, iterations, parallelism } = parameters
  const text = (size: number) => Buffer.from(random(size)).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memoryKiB},t=${iterations},p=${parallelism}$${text(saltBytes)}$${text(hashBytes)}`
}
