import { parseOptions, type ParsedHashOptions } from '@node-rs/argon2'

/** What argon2id is run with. */
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
  /** The id of the pepper that went into it. */
  readonly pepperId: string | undefined
}

// The enums of @node-rs/argon2 are ambient const ones, which have no value to import.
export const argon2id = 2
export const argon2Version13 = 1
export const hashBytes = 32
export const saltBytes = 16

const keyId = /^\$argon2id\$v=19\$m=\d{1,10},t=\d{1,10},p=\d{1,3},keyid=([A-Za-z0-9+/]{1,11})\$/

/** The longest stored hash that is read; that of an argon2id hash is about 100 characters long. */
const maxLength = 512

/** More than any sensible parameters; a damaged row must not take the machine's memory. */
const mostMemoryKiB = 1_048_576
const mostIterations = 64
const mostParallelism = 64

/** Reads a stored hash; undefined when it is malformed, asks for absurd work, or is no text. */
export function readStoredHash(stored: unknown): StoredHash | undefined {
  if (typeof stored !== 'string' || stored.length > maxLength) return undefined
  let parameters
  try {
    parameters = parseOptions(stored)
  } catch {
    return undefined
  }
  const { memoryCost, timeCost, parallelism } = parameters
  if (memoryCost > mostMemoryKiB || timeCost > mostIterations || parallelism > mostParallelism)
    return undefined
  return { parameters, pepperId: keyId.exec(stored)?.[1] }
}

/** Puts the name of the pepper into a hash (PHC string format: `keyid` comes after the parameters). */
export function withKeyId(hash: string, id: string): string {
  return hash.replace(/^(\$[^$]*\$[^$]*\$[^$]*)/, `$1,keyid=${id}`)
}

/** A well-formed hash of no password, with the given parameters: verifying it takes the time of a real one. */
export function dummyHash(parameters: Argon2Parameters, random: (size: number) => Uint8Array): string {
  const { memoryKiB, iterations, parallelism } = parameters
  const text = (size: number) => Buffer.from(random(size)).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memoryKiB},t=${iterations},p=${parallelism}$${text(saltBytes)}$${text(hashBytes)}`
}
