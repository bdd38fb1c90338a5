import pg from 'pg'
import type { SharedPool } from './shared-pool.ts'

/**
 * Describes the target of a URL, without the password.
 *
 * @throws TypeError for an invalid URL; the message does not contain it
 */
export function describeTarget(url: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new TypeError(`The URL of the database is invalid: ${expected}`)
  return placeOf(parse(url))
}

/** Describes the target of a pool, without the password. */
export function describePool({ options = {} }: SharedPool): string {
  return placeOf(new pg.Client(options as pg.ClientConfig))
}

const placeOf = ({ host, port, database = '', user = '' }: pg.Client) =>
  `${host}:${port}/${database} as ${user}`

const expected =
  'postgres://user:password@host:5432/database is expected, with special characters percent-encoded'

function parse(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url })
  } catch (error) {
    // The error of an invalid URL contains the whole URL. A URL may also name a file that cannot be read.
    const { code, path } = error as NodeJS.ErrnoException
    if (path === undefined) throw new TypeError(`The URL of the database cannot be read: ${expected}`)
    throw new TypeError(`The URL of the database names a file that cannot be read: ${path} (${code ?? ''})`)
  }
}
